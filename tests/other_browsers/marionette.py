"""Firefox driven by its own protocol, Marionette, because Debian has no geckodriver."""

import json
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Self

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.command import Command

STARTED_SECONDS = 120
"""Enough for a first start on a busy machine."""

COMMANDS = {
    Command.NEW_SESSION: "NewSession",
    Command.GET: "Navigate",
    Command.REFRESH: "Refresh",
    Command.GET_CURRENT_URL: "GetCurrentURL",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "ExecuteAsyncScript",
    Command.FIND_ELEMENT: "FindElement",
    Command.FIND_ELEMENTS: "FindElements",
    Command.CLICK_ELEMENT: "ElementClick",
    Command.GET_ELEMENT_TEXT: "GetElementText",
    Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
    Command.W3C_ACTIONS: "PerformActions",
    Command.DELETE_ALL_COOKIES: "DeleteAllCookies",
    Command.SET_TIMEOUTS: "SetTimeouts",
    Command.SET_WINDOW_RECT: "SetWindowRect",
    Command.SCREENSHOT: "TakeScreenshot",
    Command.SWITCH_TO_FRAME: "SwitchToFrame",
}
"""Commands of Selenium and of Marionette, of those that tests use."""

PREFERENCES = {
    "devtools.console.stdout.content": True,  # in the log
    "marionette.port": 0,  # a free port, which Firefox writes into the profile
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",  # no requests
    "toolkit.telemetry.server": "data:,",
}


class MarionetteConnection:
    """Command executor of Selenium that starts Firefox and ends it."""

    def __init__(
        self, firefox: str, profile: Path, log: Path, preferences: dict[str, object]
    ) -> None:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in (PREFERENCES | preferences).items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        command = [firefox, "--headless", "--no-remote", "--marionette", "--profile", str(profile)]
        with log.open("wb") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output)
        self.socket = self._connect(profile / "MarionetteActivePort")
        self.stream = self.socket.makefile("rwb")
        self._read()  # a greeting
        self.count = 0

    def _connect(self, port: Path) -> socket.socket:
        deadline = time.monotonic() + STARTED_SECONDS
        while self.process.poll() is None and time.monotonic() < deadline:
            if port.exists() and port.read_text().strip():
                return socket.create_connection(("127.0.0.1", int(port.read_text())))
            time.sleep(0.1)
        raise WebDriverException("Firefox does not open its port")

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """Execute a command of Selenium."""
        self.count += 1
        given = {name: value for name, value in params.items() if name != "sessionId"}
        if command == Command.NEW_SESSION:
            given = given["capabilities"]["alwaysMatch"]
        elif command == Command.SCREENSHOT:
            given["full"] = False  # not the whole page
        elif command == Command.SWITCH_TO_FRAME:
            given = {"element": next(iter(given["id"].values()))}
        message = json.dumps([0, self.count, f"WebDriver:{COMMANDS[command]}", given]).encode()
        self.stream.write(b"%d:%b" % (len(message), message))
        self.stream.flush()
        _, _, error, result = self._read()
        if error:
            raise WebDriverException(f"{error['error']}: {error['message']}")
        return {"value": result["value"] if [*result] == ["value"] else result}

    def _read(self) -> Any:
        length = b""
        while (byte := self.stream.read(1)) != b":":
            if not byte:
                raise WebDriverException("Firefox has ended")
            length += byte
        return json.loads(self.stream.read(int(length)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()
        self.socket.close()
        self.process.terminate()
        self.process.wait()
