"""
`make run`: prepare the site and serve it to every phone on the local network.

Knows the machine (addresses, port, static files, gunicorn), and no game.
"""

import hashlib
import io
import os
import socket
import struct
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import segno

FIRST_PORT = 8000
NOT_SERVED = ["account", "redoc", "rest_framework", "select2"]  # large, or no page uses them


def port_number(environ: Mapping[str, str]) -> int:
    value = environ.get("PORT", str(FIRST_PORT))
    if value.isascii() and value.isdecimal() and 1 <= int(value) <= 65_535:
        return int(value)
    raise SystemExit(f"Setting PORT={value!r} is not allowed: it must be a whole number from 1 to 65535.")


def check_port(port: int) -> None:
    """Stop with one line where the port cannot be had."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
            probe.listen()
        except PermissionError:
            raise SystemExit(f"Port {port} is kept for root; choose another: make run PORT=8000") from None
        except OSError:
            other = port + 1 if port < 65_535 else FIRST_PORT
            raise SystemExit(f"Port {port} is taken; choose another: make run PORT={other}") from None


def lan_addresses() -> list[str]:
    """
    Return this machine's IPv4 addresses that others can reach, the usual way out first.

    Nothing is sent: connecting a datagram socket only looks up the route.
    """
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):  # no route
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    found += _interface_addresses()
    with suppress(OSError):  # no such name
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return [address for address in dict.fromkeys(found) if not address.startswith(("127.", "169.254.", "0."))]


def _interface_addresses() -> Iterator[str]:
    if sys.platform != "linux":
        return
    import fcntl

    siocgifaddr = 0x8915
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), siocgifaddr, request)
            except OSError:  # an interface without an IPv4 address
                continue
            yield socket.inet_ntoa(answer[20:24])


def local_zone(link: Path = Path("/etc/localtime")) -> str:
    """Return the machine's time zone by name, or UTC where it does not tell."""
    _before, marker, name = str(link.resolve()).partition("/zoneinfo/")
    return name if marker and not name.startswith(("posix", "right")) else "UTC"


def qr_code(text: str, *, coloured: bool) -> str:
    out = io.StringIO()
    segno.make_qr(text, error="l").terminal(out, compact=True, border=2)
    lines = out.getvalue().rstrip("\n").split("\n")
    if coloured:  # white on black, whatever the terminal's own colours are
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    return "\n".join(lines)


def banner(port: int) -> str:
    here = f"http://127.0.0.1:{port}"
    lines = ["Scorekeeper is running. Ctrl-C stops it.", "", f"  On this machine:  {here}"]
    addresses = lan_addresses()
    if not addresses:
        return "\n".join([*lines, "  No network was found, so no phone can reach it."])
    at_table = f"http://{addresses[0]}:{port}"
    lines.append(f"  On the phones:    {at_table}  (in the same network, or scan this)")
    return "\n".join([*lines, "", qr_code(at_table, coloured=sys.stdout.isatty())])


def collect_static() -> None:
    """Collect and compress the static files, unless they are those of the last time."""
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders
    from django.core.management import call_command

    seen = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list(NOT_SERVED):
            stat = Path(storage.path(path)).stat()
            seen.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    mark = Path(settings.STATIC_ROOT) / ".collected"
    if mark.exists() and mark.read_text(encoding="ascii") == seen.hexdigest():
        return
    mark.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=NOT_SERVED)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text(seen.hexdigest(), encoding="ascii")


def main() -> None:
    port = port_number(os.environ)
    check_port(port)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    os.environ.setdefault("ALLOWED_HOSTS", ",".join(["127.0.0.1", "localhost", *lan_addresses()]))
    os.environ.setdefault("TIME_ZONE", local_zone())

    import django
    from django.core.management import call_command
    from django.db import OperationalError

    django.setup()
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except OperationalError as error:
        reason = str(error).strip().splitlines()[0]
        raise SystemExit(f"The database of DATABASE_URL cannot be used: {reason}") from None
    collect_static()
    sys.stdout.flush()
    os.execv(
        sys.executable,
        [
            sys.executable,
            *("-m", "gunicorn", "-c", "python:scorekeeper.gunicorn_conf", "scorekeeper.wsgi"),
        ],
    )


if __name__ == "__main__":
    main()
