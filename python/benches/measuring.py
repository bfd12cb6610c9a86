"""Programs that are given so many seconds of the processor, and what they take of it."""

import os
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path

MEGABYTES = 3000


def used() -> float:
    """Seconds of the processor that processes have taken which were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def answer_of(command: list, seconds: float, megabytes: int = MEGABYTES) -> str:
    """What a program prints; it is asked to end after so many seconds of the processor, and keeps within its memory."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    with tempfile.TemporaryFile("w+") as text:
        process = subprocess.Popen(command, stdout=text, stderr=subprocess.DEVNULL, preexec_fn=limit)
        ticks = os.sysconf("SC_CLK_TCK")
        asked = None
        while process.poll() is None:
            time.sleep(0.05)
            try:
                fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            spent = (int(fields[11]) + int(fields[12])) / ticks
            if asked is None and spent > seconds:
                process.send_signal(signal.SIGINT)
                asked = spent
            elif asked is not None and spent > asked + 10:
                process.kill()
        text.seek(0)
        return text.read()
