"""Talks to `heterskin worker`: a line of JSON for each request and each answer (docs/worker.md)."""

import array
import base64
import collections
import json
import os
import queue
import subprocess
import threading

# The protocol of docs/worker.md that this file speaks.
PROTOCOL = 1
ENDED = "HeterSkin's process ended before it was done; try again."
NOT_STARTED = "HeterSkin's process ended as it started; check Node and the package in the add-on's preferences."
NO_ANSWER = "HeterSkin did not answer in time; try again."
OTHER_VERSION = "The heterskin package is of another version ({}) than the add-on; update the older of the two."

TYPES = {"f": "f32", "I": "u32", "i": "i32", "H": "u16", "B": "u8"}
CODES = {name: code for code, name in TYPES.items()}


class WorkerError(Exception):
    """What the worker, or its end, has to say: one sentence."""


def pack(values):
    """An array.array as it travels."""
    return {"type": TYPES[values.typecode], "base64": base64.b64encode(values.tobytes()).decode()}


def unpack(sent):
    """An array.array from an answer."""
    values = array.array(CODES[sent["type"]])
    values.frombytes(base64.b64decode(sent["base64"]))
    return values


class Worker:
    """A process that stays warm between requests; it ends with Blender."""

    def __init__(self, command):
        self.command = command
        self.process = None
        self.is_ready = False
        self.lines = queue.Queue()
        self.requests = queue.Queue()
        # Answers to the jobs that somebody waits for, by their number.
        self.answers = {}
        # The numbers of jobs that were cancelled and have not ended yet.
        self.given_up = set()
        self.next_id = 0

    def start(self):
        """Starts the process unless it runs."""
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
        """A process that does not read must not keep Blender waiting, so a thread writes to it."""
        try:
            for line in iter(requests.get, None):
                while line:
                    line = line[os.write(process.stdin.fileno(), line) :]
        except (OSError, ValueError):
            # The process ended, which its reader says.
            pass

    def send(self, what, **request):
        """Asks for something and gives its number; `poll` brings the answers."""
        self._take_all()
        # Between two looks for a cancel a large job takes seconds, and one that hangs never looks: a new
        # process is there sooner.
        if self.given_up and not self.answers:
            self.stop()
        self.start()
        self.next_id += 1
        self.answers[self.next_id] = collections.deque()
        self._say({"id": self.next_id, "do": what, **request})
        return self.next_id

    def _say(self, request):
        self.requests.put(json.dumps(request).encode() + b"\n")

    def poll(self, job, timeout=0.0):
        """The next answer to a job as a dictionary, or None where there is none yet."""
        if job not in self.answers:
            raise WorkerError("Cancelled.")
        self._take_all()
        if timeout and not self.answers[job]:
            try:
                self._take(self.lines.get(timeout=timeout))
            except queue.Empty:
                return None
        if not self.answers[job]:
            return {} if timeout else None
        answer = self.answers[job].popleft()
        if _is_last(answer):
            del self.answers[job]
        return answer

    def _take_all(self):
        while not self.lines.empty():
            self._take(self.lines.get_nowait())

    def _take(self, line):
        """Gives a line of the process to the job it is for."""
        if line is None:
            self.stop(ENDED if self.is_ready else NOT_STARTED)
            return
        try:
            answer = json.loads(line)
            job = answer.get("id")
        except (ValueError, AttributeError):
            # Not one of ours: a word of Node's, or of a program that was named in its place.
            return
        if answer.get("ready"):
            self.is_ready = True
            if answer.get("protocol") != PROTOCOL:
                self.stop(OTHER_VERSION.format(answer.get("version")))
        elif job in self.answers:
            self.answers[job].append(answer)
        elif _is_last(answer):
            self.given_up.discard(job)

    def cancel(self, job):
        """Gives a job up; no answers of it come any more."""
        if self.answers.pop(job, None) is not None and self.process:
            self.given_up.add(job)
            self._say({"id": None, "do": "cancel", "job": job})

    def wait(self, job, on_progress=None, patience=600.0):
        """Blocks until a job is done; raises WorkerError with the worker's sentence."""
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
        """Ends the process; whoever waits for it is told why."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.requests.put(None)
        self.process = None
        self.lines = queue.Queue()
        self.given_up.clear()
        for answers in self.answers.values():
            answers.append({"error": {"kind": "ended", "message": why}})


def _is_last(answer):
    return "result" in answer or "error" in answer
