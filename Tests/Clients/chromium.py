# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, doing the jobs of client.html."""
import contextlib
import os
import queue
import shutil
import signal
import subprocess
import tempfile

import numpy

from server import Server


class Chromium:
    """Debian's chromium; `version` is None where it isn't installed."""
    name = "Chromium"

    def __init__(self):
        self.version = None
        self.program = shutil.which("chromium") or shutil.which("chromium-browser")
        if self.program:
            done = subprocess.run([self.program, "--version"], capture_output=True, text=True)
            self.version = done.stdout.split()[1] if done.stdout else None

    def run(self, folder, jobs, limit=90):
        """Results of all jobs by id; `sound` is frames x channels. A job that doesn't answer within
        `limit` seconds, and all behind it, have {"error"}."""
        jobs = [dict(job, id=str(index)) for index, job in enumerate(jobs)]
        server = Server(folder, jobs)
        results = {}
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = subprocess.Popen(
                [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                 "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync",
                 "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={profile}",
                 f"{server.address}/client.html"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                while True:
                    name, result = server.results.get(timeout=limit)
                    if name == "":
                        break
                    results[name] = result
            except queue.Empty:
                pass
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(browser.pid, signal.SIGKILL)
                browser.wait()
                server.shutdown()
                server.server_close()
        for job in jobs:
            result = results.setdefault(job["id"], {"error": f"no answer within {limit} s"})
            if job["id"] in server.sound:
                sound = numpy.frombuffer(server.sound[job["id"]], "<f4")
                result["sound"] = sound.reshape(-1, result.get("channels", 1))
        return [results[job["id"]] for job in jobs]
