"""Client of `heterskin worker`: one line of JSON per request and answer (docs/worker.md)."""

import array
import base64
import collections
import json
import os
import queue
import subprocess
import threading

# Protocol version of docs/worker.md.
PROTOCOL = 1
ENDED = "The HeterSkin process exited before it was done; try again."
NOT_STARTED = "The HeterSkin process exited at startup; check Node and the package in the add-on's preferences."
NO_ANSWER = "HeterSkin did not answer in time; try again."
OTHER_VERSION = "The heterskin package has a different version ({}) than the add-on; update the older of the two."

TYPES = {"f": "f32", "I": "u32", "i": "i32", "H": "u16", "B": "u8"}
CODES = {name: code for code, name in TYPES.items()}


class WorkerError(Exception):
    """An error of the worker or the add-on: one sentence."""


def pack(values):
    """Encodes an array.array for a request."""
    return {"type": TYPES[values.typecode], "base64": base64.b64encode(values.tobytes()).decode()}


def unpack(sent):
    """Decodes an array.array from an answer."""
    values = array.array(CODES[sent["type"]])
    values.frombytes(base64.b64decode(sent["base64"]))
    return values


class Worker:
    """A worker process that stays warm between requests and exits with Blender."""

    def __init__(self, command):
        self.command = command
        self.process = None
        self.is_ready = False
        self.lines = queue.Queue()
        self.requests = queue.Queue()
        # Answers to pending jobs, by id.
        self.answers = {}
        # Ids of cancelled jobs that have not ended yet.
        self.cancelled = set()
        self.next_id = 0

    def start(self):
        """Starts the process unless it is running."""
        if self.process and self.process.poll() is None:
            return
        self.stop(ENDED)
        try:
            self.process = subprocess.Popen(
                self.command + ["worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise WorkerError(
                f"HeterSkin could not be started ({error.strerror}); check Node in the add-on's preferences."
            ) from error
        self.is_ready = False
        self.lines, self.requests = queue.Queue(), queue.Queue()
        threading.Thread(target=self._read, args=(self.process, self.lines), daemon=True).start()
        threading.Thread(target=self._write, args=(self.process, self.requests), daemon=True).start()

    @staticmethod
    def _read(process, lines):
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    @staticmethod
    def _write(process, requests):
        """Writes requests on a thread, so that a process that does not read cannot block Blender."""
        try:
            for line in iter(requests.get, None):
                while line:
                    line = line[os.write(process.stdin.fileno(), line) :]
        except (OSError, ValueError):
            # The process has ended, which the reader reports.
            pass

    def send(self, what, **request):
        """Sends a request and returns its id; `poll` returns the answers."""
        self._receive_all()
        # A large job checks for cancellation only every few seconds, and one that hangs never does; a new
        # process is ready sooner.
        if self.cancelled and not self.answers:
            self.stop()
        self.start()
        self.next_id += 1
        self.answers[self.next_id] = collections.deque()
        self._write_request({"id": self.next_id, "do": what, **request})
        return self.next_id

    def _write_request(self, request):
        self.requests.put(json.dumps(request).encode() + b"\n")

    def poll(self, job, timeout=0.0):
        """Returns the next answer to a job, or None if there is none yet."""
        if job not in self.answers:
            raise WorkerError("Cancelled.")
        self._receive_all()
        if timeout and not self.answers[job]:
            try:
                self._receive(self.lines.get(timeout=timeout))
            except queue.Empty:
                return None
        if not self.answers[job]:
            return {} if timeout else None
        answer = self.answers[job].popleft()
        if _is_last(answer):
            del self.answers[job]
        return answer

    def _receive_all(self):
        while not self.lines.empty():
            self._receive(self.lines.get_nowait())

    def _receive(self, line):
        """Appends a line of the process to the answers of its job."""
        if line is None:
            self.stop(ENDED if self.is_ready else NOT_STARTED)
            return
        try:
            answer = json.loads(line)
            job = answer.get("id")
        except (ValueError, AttributeError):
            # Not an answer: output of Node itself, or of another program.
            return
        if answer.get("ready"):
            self.is_ready = True
            if answer.get("protocol") != PROTOCOL:
                self.stop(OTHER_VERSION.format(answer.get("version")))
        elif job in self.answers:
            self.answers[job].append(answer)
        elif _is_last(answer):
            self.cancelled.discard(job)

    def cancel(self, job):
        """Cancels a job; it receives no more answers."""
        if self.answers.pop(job, None) is not None and self.process:
            self.cancelled.add(job)
            self._write_request({"id": None, "do": "cancel", "job": job})

    def wait(self, job, on_progress=None, patience=600.0):
        """Waits until a job is done; raises WorkerError with the worker's message."""
        while True:
            answer = self.poll(job, timeout=patience)
            if answer is None:
                self.stop(NO_ANSWER)
                continue
            if "progress" in answer and on_progress:
                on_progress(answer["progress"]["stage"], answer["progress"]["fraction"])
            if "error" in answer:
                raise WorkerError(answer["error"]["message"])
            if "result" in answer:
                return answer["result"]

    def stop(self, why=ENDED):
        """Kills the process; pending jobs receive `why` as their error."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.requests.put(None)
        self.process = None
        self.lines = queue.Queue()
        self.cancelled.clear()
        for answers in self.answers.values():
            answers.append({"error": {"kind": "ended", "message": why}})


def _is_last(answer):
    return "result" in answer or "error" in answer
