# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, driven by the DevTools protocol over a pipe."""
import base64
import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = HERE.parents[1] / "out"
SCHEMES = ("light", "dark")


class Devtools:
    """One page of a browser that is closed with the `with` statement. `events` has what it told."""

    def __init__(self, program):
        self._program = program
        self.events = []
        self._number = 0
        self._session = None
        self._rest = b""

    def __enter__(self):
        self._profile = tempfile.mkdtemp(prefix="pinna-devtools-")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        # The browser listens on descriptor 3 and answers on 4.
        self._browser = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "chromium",
             self._program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self._profile}",
             "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            pass_fds=(to_browser, from_browser))
        os.close(to_browser)
        os.close(from_browser)
        page = next(target for target in self.call("Target.getTargets")["targetInfos"]
                    if target["type"] == "page")
        self._session = self.call(
            "Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._browser.pid, signal.SIGKILL)
        self._browser.wait()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method, **parameters):
        """The result of a method."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data):]
        while True:
            answer = self._message(60)
            if answer is None:
                raise RuntimeError(f"Chromium doesn't answer {method}")
            if answer.get("id") != self._number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"Chromium, {method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def wait(self, method, limit=30):
        """Waits for an event."""
        end = time.monotonic() + limit
        while not any(event.get("method") == method for event in self.events):
            message = self._message(max(0, end - time.monotonic()))
            if message is None:
                raise RuntimeError(f"Chromium: no {method} within {limit} s")
            self.events.append(message)

    def open(self, address):
        """Loads a page; `events` has only what belongs to it."""
        self.events = []
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def value(self, expression):
        """What JavaScript makes of an expression."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                         awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"Chromium: {done['exceptionDetails']['exception']['description']}")
        return done["result"].get("value")

    def press(self, key, code=None, number=9):
        """Presses a key."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      windowsVirtualKeyCode=number)

    def show(self, width, scheme, height=900):
        """Sets the width of the page and the colours that the user likes."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def accessibility(self, axe):
        """Findings of axe-core, whose source is `axe`, as sentences: whatever it says is wrong."""
        self.value(f"{axe};0")
        return self.value(
            "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map("
            "one => `${one.id}, ${one.nodes.length} times: ${one.nodes[0].html.slice(0, 80)}`))")

    def faults(self):
        """Layout and contrast, as report_pages.js judges them."""
        return self.value((HERE / "report_pages.js").read_text(encoding="utf-8"))

    def noise(self, page):
        """Complaints of the browser, and what it asked the network for."""
        told = []
        for event in self.events:
            method, facts = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                address = facts["request"]["url"].split("#")[0]
                # The signs of the browser's own players are addresses with the data in them.
                if address == page.as_uri() or address.startswith("data:image/svg+xml;base64,"):
                    continue
                told.append(f"asks for {facts['request']['url']}")
            elif method == "Runtime.exceptionThrown":
                told.append(facts["exceptionDetails"]["text"])
            elif method == "Log.entryAdded":
                told.append(facts["entry"]["text"])
            elif method == "Runtime.consoleAPICalled":
                told.append(f"console {facts['type']}")
        return told

    def picture(self, name):
        """Writes the whole page as a PNG file into out/."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16_000), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / name).write_bytes(base64.b64decode(data["data"]))

    def _message(self, limit):
        end = time.monotonic() + limit
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            data = os.read(self._read, 1 << 20)
            if not data:
                raise RuntimeError("Chromium has ended")
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)
