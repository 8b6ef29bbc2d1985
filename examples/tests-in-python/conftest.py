"""Fixtures that start a forge for the test run and reset it before each test."""

import json
import os
import shlex
import subprocess
import urllib.request

import pytest

# The program itself: a signal to npx would not end the server.
COMMAND = shlex.split(os.environ.get("FORGELET", "node_modules/.bin/forgelet"))


class Forge:
    """A running forge with demo data, controlled through /_forgelet."""

    def __init__(self, url):
        self.url = url

    def control(self, path, body=None):
        """Calls a route of the control plane, such as ("/clock/advance", {"days": 1})."""
        data = json.dumps(body or {}).encode()
        request = urllib.request.Request(f"{self.url}/_forgelet{path}", data, method="POST")
        with urllib.request.urlopen(request) as response:
            text = response.read()
        return json.loads(text) if text else None


@pytest.fixture(scope="session")
def forge_server():
    arguments = ["serve", "--control", "--seed", "demo", "--port", "0", "--exit-with-parent"]
    # The server ends when its standard input does: at the end of this block, or when this process is killed.
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND + arguments, stdin=pipe, stdout=pipe, text=True) as process:
        line = process.stdout.readline()
        if not line:
            pytest.fail("The forge did not start: see its error output", pytrace=False)
        # The first line of the output ends with the URL.
        yield Forge(line.split()[-1])


@pytest.fixture
def forge(forge_server):
    forge_server.control("/reset")
    return forge_server
