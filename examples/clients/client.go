// A client of `omniread serve`. Run it: `go run client.go README.md:1-5 missing.txt`
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

type Request struct {
	ID      int            `json:"id"`
	Path    string         `json:"path"`
	Options map[string]any `json:"options,omitempty"`
}

type Reply struct {
	ID     int `json:"id"`
	Blocks []struct{ Type, Text, Mime, Data string }
	Error  *struct{ Kind, Message, Hint string }
}

// Start starts a process, which ends when the channel of requests is closed.
func Start(arguments ...string) (chan<- Request, <-chan Reply, error) {
	command := exec.Command("omniread", append(arguments, "serve")...)
	input, _ := command.StdinPipe()
	output, _ := command.StdoutPipe()
	err := command.Start()
	requests, replies := make(chan Request), make(chan Reply)
	go func() {
		defer input.Close()
		for request := range requests {
			json.NewEncoder(input).Encode(request)
		}
	}()
	decoder := json.NewDecoder(output)
	go func() {
		for reply := (Reply{}); decoder.Decode(&reply) == nil; reply = (Reply{}) {
			replies <- reply
		}
		close(replies)
	}()
	return requests, replies, err
}

func main() {
	requests, replies, err := Start()
	if err != nil {
		panic(err)
	}
	for id, path := range os.Args[1:] {
		requests <- Request{ID: id, Path: path}
		if reply := <-replies; reply.Error != nil {
			fmt.Println(reply.Error.Message)
		} else {
			fmt.Println(reply.Blocks[0].Text)
		}
	}
	close(requests)
}
