"""A client of `omniread serve`. Run it: `python3 client.py README.md:1-5 missing.txt`"""
import itertools
import json
import queue
import sys
import threading
from contextlib import suppress
from subprocess import PIPE, Popen

ENDED = {"error": {"kind": "ended", "message": "omniread has ended", "hint": None}}


class Omniread:
    """Reads paths in a long-lived process. Threads may share it."""

    def __init__(self, *arguments, program="omniread"):
        self.process = Popen([program, *arguments, "serve"], stdin=PIPE, stdout=PIPE)
        self.ids, self.lock, self.waiting, self.ended = itertools.count(), threading.Lock(), {}, False
        threading.Thread(target=self._receive, daemon=True).start()

    def send(self, **request):
        """Sends a request. Returns its id, and a queue that gets the reply."""
        number, reply = next(self.ids), queue.SimpleQueue()
        self.waiting[number] = reply
        self._write({"id": number, **request})
        if self.ended:
            reply.put(ENDED)
        return number, reply

    def read(self, path, **options):
        """Returns the reply to a path: `blocks` and `details`, or an `error`."""
        return self.send(path=path, options=options)[1].get()

    def call(self, dialect, arguments):
        """Returns the reply to a tool call of a model."""
        return self.send(dialect=dialect, arguments=arguments)[1].get()

    def cancel(self, number):
        """Cancels a request. Its reply is an error."""
        self._write({"cancel": number})

    def _write(self, message):
        with self.lock, suppress(OSError):
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def _receive(self):
        for line in self.process.stdout:
            reply = json.loads(line)
            self.waiting.pop(reply["id"], queue.SimpleQueue()).put(reply)
        self.ended = True
        for reply in list(self.waiting.values()):
            reply.put(ENDED)


if __name__ == "__main__":
    omniread = Omniread()
    for reply in map(omniread.read, sys.argv[1:]):
        for block in reply.get("blocks") or [{"text": reply["error"]["message"]}]:
            print(block.get("text", "an image"))
