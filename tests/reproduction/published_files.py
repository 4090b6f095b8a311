"""A web server on this machine with recorded files of the publishers, and ways to misbehave."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

IRIS = (Path(__file__).parent / "recorded" / "iris.data").read_bytes()


class Site:
    """What the server has, what it was asked for, and how often it fails first."""

    def __init__(self):
        self.files = {}
        self.asked = []
        self.failures = []  # status codes to answer with before anything else
        self.cut = None  # bytes after which an answer breaks off
        self.address = ""


@contextmanager
def serving():
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = unquote(self.path)
            site.asked.append(path)
            if site.failures:
                self.send_error(site.failures.pop(0))
            elif path not in site.files:
                self.send_error(404)
            else:
                data = site.files[path]
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: site.cut])

        def log_message(self, *arguments):
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    site.address = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
