"""The metrics page: http://127.0.0.1:PORT/metrics, for a monitoring system on this machine.

`gm serve` starts it when the settings have a section [metrics].
"""

from __future__ import annotations

import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from gm.errors import ConfigurationError
from gm.server import Server
from gm.server.metrics import figures, text
from gm.settings import MetricsSettings

log = logging.getLogger(__name__)

HOST = "127.0.0.1"


class MetricsPage:
    """A context manager that serves the page; `port` is the one listened on."""

    def __init__(self, settings: MetricsSettings, service: Server) -> None:
        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def do_GET(self) -> None:
                if self.path.partition("?")[0] not in ("/metrics", "/"):
                    self.send_error(404)
                    return
                try:
                    page = text(figures(service, service.now())).encode()
                except Exception:
                    log.exception("the metrics page failed")
                    self.send_error(503)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, format: str, *args: object) -> None:
                log.debug(format, *args)

        try:
            self._server = ThreadingHTTPServer((HOST, settings.port), Handler)
        except OSError as error:
            raise ConfigurationError(
                f"The metrics page cannot listen on {HOST} port {settings.port} ({error.strerror}).",
                "Choose another port in [metrics].",
            ) from error
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> MetricsPage:
        log.info("the metrics page is served", extra={"port": self.port})
        threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
