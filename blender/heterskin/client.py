"""Talks to `heterskin worker`: a line of JSON for each request and each answer (docs/worker.md)."""

import array
import base64
import json
import queue
import subprocess
import threading

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
        self.lines = queue.Queue()
        self.next_id = 0

    def start(self):
        """Starts the process unless it runs."""
        if self.process and self.process.poll() is None:
            return
        self.lines = queue.Queue()
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
        threading.Thread(target=self._read, args=(self.process, self.lines), daemon=True).start()

    @staticmethod
    def _read(process, lines):
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    def send(self, what, **request):
        """Asks for something and gives its number; `poll` brings the answers."""
        self.start()
        self.next_id += 1
        line = json.dumps({"id": self.next_id, "do": what, **request})
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            self.stop()
            raise WorkerError("HeterSkin's process ended; try again.") from error
        return self.next_id

    def poll(self, job, timeout=0.0):
        """The next answer to a job as a dictionary, or None where there is none yet."""
        try:
            line = self.lines.get(timeout=timeout) if timeout else self.lines.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            self.stop()
            raise WorkerError("HeterSkin's process ended before it was done; try again.")
        answer = json.loads(line)
        return answer if answer.get("id") == job else {}

    def cancel(self, job):
        self.send("cancel", job=job)

    def wait(self, job, on_progress=None, patience=600.0):
        """Blocks until a job is done; raises WorkerError with the worker's sentence."""
        while True:
            answer = self.poll(job, timeout=patience)
            if answer is None:
                self.stop()
                raise WorkerError("HeterSkin did not answer in time; try again.")
            if "progress" in answer and on_progress:
                on_progress(answer["progress"]["stage"], answer["progress"]["fraction"])
            if "error" in answer:
                raise WorkerError(answer["error"]["message"])
            if "result" in answer:
                return answer["result"]

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None
