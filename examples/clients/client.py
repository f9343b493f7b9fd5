"""A client of `omniread serve`. Run it: `python3 client.py README.md:1-5 missing.txt`"""
import itertools
import json
import queue
import subprocess
import sys
import threading


class Omniread:
    """Reads paths in a long-lived process. Threads may share it."""

    def __init__(self, *arguments, program="omniread"):
        self.process = subprocess.Popen(
            [program, *arguments, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.ids = itertools.count()
        self.waiting = {}
        self.lock = threading.Lock()
        threading.Thread(target=self._receive, daemon=True).start()

    def send(self, **request):
        """Sends a request. Returns its id, and a queue that gets the reply."""
        reply = queue.Queue()
        with self.lock:
            number = next(self.ids)
            self.waiting[number] = reply
            self._write({"id": number, **request})
        return number, reply

    def read(self, path, **options):
        """Returns the reply to a path: `blocks` and `details`, or an `error`."""
        return self.send(path=path, options=options)[1].get()

    def call(self, dialect, arguments):
        """Returns the reply to a tool call of a model."""
        return self.send(dialect=dialect, arguments=arguments)[1].get()

    def cancel(self, number):
        """Cancels a request. Its reply is an error."""
        with self.lock:
            self._write({"cancel": number})

    def _write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _receive(self):
        for line in self.process.stdout:
            reply = json.loads(line)
            if reply["id"] in self.waiting:
                self.waiting.pop(reply["id"]).put(reply)


if __name__ == "__main__":
    omniread = Omniread()
    for path in sys.argv[1:]:
        reply = omniread.read(path)
        error = reply.get("error")
        print(error["message"] if error else reply["blocks"][0].get("text", "an image"))
