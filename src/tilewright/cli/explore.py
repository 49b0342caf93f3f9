"""`tilewright explore`: serves the explorer's page on this machine, and opens it."""

from __future__ import annotations

import argparse
import webbrowser
from threading import Thread

from tilewright.cli.options import integer
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import UsageError
from tilewright.explorer.server import Server

PORTS = 1 << 16


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "explore",
        help=words,
        description=f"{words}. It answers on 127.0.0.1 alone, to whoever has the address that it prints; Ctrl-C ends.",
    )
    parser.add_argument("--port", type=integer, default=0, metavar="N", help="the port (default: any that is free)")
    parser.add_argument("--no-open", action="store_true", help="print the address and open no browser")


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted."""
    with _server(args.port) as server:
        print(f"the explorer is at {server.address}\nCtrl-C ends it", flush=True)
        Thread(target=server.load, daemon=True).start()
        if not args.no_open:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nended")
    return 0


def _server(port: int) -> Server:
    if not 0 <= port < PORTS:
        raise UsageError(f"--port is a number from 0 to {PORTS - 1}, got {port}")
    try:
        return Server(port)
    except OSError as error:
        raise UsageError(f"cannot listen on port {port} of 127.0.0.1: {error.strerror}; take another --port") from None
