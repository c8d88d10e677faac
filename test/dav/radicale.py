"""Runs a judge against Radicale, another server, to see that the judge itself is right:
    /usr/bin/python3 test/dav/radicale.py clients.py [WORD...]       a script of test/dav
    /usr/bin/python3 test/dav/radicale.py node build/web/scripts/carddav.mjs      another program
"""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM = "/usr/bin/radicale"
USER, PASSWORD, BOOK = "ada@example.com", "secret", "people"
MAKE = ('<mkcol xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><set><prop><resourcetype><collection/><c:addressbook/>'
        '</resourcetype><displayname>People</displayname></prop></set></mkcol>')


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kith-radicale-"))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    (folder / "users").write_text("%s:%s\n" % (USER, PASSWORD))
    (folder / "config").write_text("""[server]
hosts = 127.0.0.1:%d
timeout = 120
[auth]
type = htpasswd
htpasswd_filename = %s/users
htpasswd_encryption = plain
[storage]
filesystem_folder = %s/data
[logging]
level = warning
""" % (port, folder, folder))
    server = subprocess.Popen([PROGRAM, "--config", str(folder / "config")], start_new_session=True)
    try:
        os.environ.update(KITH_CARDDAV_URL="http://127.0.0.1:%d" % port, KITH_CARDDAV_USER=USER, KITH_CARDDAV_PASSWORD=PASSWORD,
                          KITH_CARDDAV_BOOK=BOOK, TRAVEL_VERSIONS="3.0", TRAVEL_CARDS="100",
                          TRAVEL_IGNORED="NICKNAME X-CUSTOM")
        for name in ("KITH_URL", "KITH_KEY"):
            os.environ.pop(name, None)
        until = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert time.monotonic() < until and server.poll() is None, "Radicale does not start"
                time.sleep(0.1)
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        import judge
        judge.Device().send("MKCOL", "/%s/%s/" % (USER, BOOK), MAKE).good(201)
        script = pathlib.Path(__file__).with_name(sys.argv[1])
        return subprocess.call([sys.executable, "-B", str(script), *sys.argv[2:]] if script.exists() else sys.argv[1:])
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
