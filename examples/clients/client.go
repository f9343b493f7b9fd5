// A client of `omniread serve`. Run it: `go run client.go README.md:1-5 missing.txt`
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
)

type Failure struct{ Kind, Message, Hint string }
type Reply struct {
	ID     int64
	Blocks []struct{ Type, Text, Mime, Data string }
	Error  Failure
}

// Start starts a process. Returns a function for requests, which goroutines may share.
func Start(arguments ...string) func(request map[string]any) Reply {
	command := exec.Command("omniread", append(arguments, "serve")...)
	input, _ := command.StdinPipe()
	output, _ := command.StdoutPipe()
	command.Start() // If this fails, all requests fail.
	var ids, ended atomic.Int64
	waiting, failed := new(sync.Map), Reply{Error: Failure{"ended", "omniread has ended", ""}}
	go func() {
		decoder := json.NewDecoder(output)
		for reply := (Reply{}); decoder.Decode(&reply) == nil; reply = (Reply{}) {
			if channel, found := waiting.LoadAndDelete(reply.ID); found {
				channel.(chan Reply) <- reply
			}
		}
		ended.Store(1)
		waiting.Range(func(_, channel any) bool { channel.(chan Reply) <- failed; return true })
	}()
	return func(request map[string]any) Reply {
		reply := make(chan Reply, 2)
		request["id"] = ids.Add(1)
		waiting.Store(request["id"], reply)
		if json.NewEncoder(input).Encode(request) != nil || ended.Load() > 0 {
			reply <- failed
		}
		return <-reply
	}
}

func main() {
	send := Start()
	for _, path := range os.Args[1:] {
		reply := send(map[string]any{"path": path})
		for _, block := range reply.Blocks {
			fmt.Println(block.Text + block.Mime)
		}
		if reply.Error.Kind != "" {
			fmt.Println(reply.Error.Message)
		}
	}
}
