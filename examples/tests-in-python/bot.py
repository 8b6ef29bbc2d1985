"""A bot that adds a label to a project. It uses the standard library only; any client for the API works the same way."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request


def add_label(url, token, project, name, color, attempts=3):
    """Creates a label. Repeats the request while the server is unavailable."""
    path = f"/api/v4/projects/{urllib.parse.quote(project, safe='')}/labels"
    body = json.dumps({"name": name, "color": color}).encode()
    headers = {"PRIVATE-TOKEN": token, "Content-Type": "application/json"}
    request = urllib.request.Request(url + path, body, headers, method="POST")
    for attempt in range(1, attempts + 1):
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 503 or attempt == attempts:
                raise
            time.sleep(0.01 * attempt)
