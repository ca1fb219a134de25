"""Runs commands for the bench and reports wall time and peak memory of each.

One JSON line in, `{"argv": [...], "keep": bool}`; one JSON line out: `{"ms", "peak_kib", "code",
"out"?, "err"?}`. The clock runs from before the start of the process until it has been waited for
and its output was read to the end. Python rather than Deno, because wait4 gives the peak memory.
"""

import json
import os
import sys
import tempfile
import time


def run(argv, keep):
    read, write = os.pipe()
    with tempfile.TemporaryFile() as errors:
        files = [
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, write, 1),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
            (os.POSIX_SPAWN_CLOSE, read),
        ]
        started = time.perf_counter()
        pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=files)
        os.close(write)
        parts = []
        while part := os.read(read, 1 << 20):
            parts.append(part)
        _, status, usage = os.wait4(pid, 0)
        elapsed = time.perf_counter() - started
        os.close(read)
        result = {
            "ms": elapsed * 1000,
            "peak_kib": usage.ru_maxrss,
            "code": os.waitstatus_to_exitcode(status),
        }
        if keep or result["code"] != 0:
            errors.seek(0)
            result["out"] = b"".join(parts).decode(errors="replace")
            result["err"] = errors.read(4096).decode(errors="replace")
        return result


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(run(request["argv"], request.get("keep", False))), flush=True)
