"""What the judges of address books share: the server that they ask, plain requests as another device sends them, a
relay that sees what passes, vdirsyncer, and the cases of a script.

    KITH_CARDDAV_URL, KITH_CARDDAV_USER, KITH_CARDDAV_PASSWORD: what a person would enter into a client
    KITH_CARDDAV_BOOK (people): the last part of the path of the book that they use
    KITH_URL, KITH_KEY: the API, if the server is kith; without them the cases that are about kith are left out
"""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse
import xml.etree.ElementTree as etree

URL = os.environ["KITH_CARDDAV_URL"].rstrip("/") + "/"
USER, PASSWORD = os.environ["KITH_CARDDAV_USER"], os.environ["KITH_CARDDAV_PASSWORD"]
BOOK = os.environ.get("KITH_CARDDAV_BOOK", "people")
KITH_URL, KITH_KEY = os.environ.get("KITH_URL"), os.environ.get("KITH_KEY")
PATIENCE_S = 120
EVENTS_S = 60

DAV, CARD = "{DAV:}", "{urn:ietf:params:xml:ns:carddav}"


def plain_card(uid, name, *lines):
    """A card as a phone writes it."""
    given, _, family = name.partition(" ")
    text = ["BEGIN:VCARD", "VERSION:3.0", "PRODID:-//Phone//1//EN", "UID:" + uid, "N:%s;%s;;;" % (family, given), "FN:" + name,
            *lines, "END:VCARD"]
    return "\r\n".join(text) + "\r\n"


def run(*command, check=True, text="", environment=None, timeout=PATIENCE_S):
    """A program's output with its errors; it must end well."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=timeout, env={**os.environ, **(environment or {})})
    said = done.stdout + done.stderr
    if check and done.returncode != 0:
        raise AssertionError("%s ended with %d:\n%s" % (" ".join(command), done.returncode, said[-6000:]))
    return said


# --- plain requests -----------------------------------------------------------------------------

class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.text = body.decode("utf-8", "replace")

    def good(self, *statuses):
        if self.status not in (statuses or (200, 201, 204, 207)):
            raise AssertionError("answered %d: %s" % (self.status, self.text[:2000]))
        return self

    def xml(self):
        return etree.fromstring(self.good(207).body)


class Device:
    """Another device of the same person, which sends plain requests."""

    def __init__(self, url=URL, password=PASSWORD, book=BOOK):
        parts = urllib.parse.urlsplit(url)
        self.address, self.name, self.book = (parts.hostname, parts.port), book, None
        self.authorization = "Basic " + base64.b64encode(("%s:%s" % (USER, password)).encode()).decode()

    def send(self, method, path, body=None, **headers):
        """headers: depth=1, if_match=tag, content_type=…"""
        connection = http.client.HTTPConnection(*self.address, timeout=PATIENCE_S)
        given = {name.replace("_", "-"): str(value) for name, value in headers.items()}
        try:
            connection.request(method, path, body and body.encode(), {"Authorization": self.authorization, **given})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def propfind(self, path, depth, *properties):
        """{href: element of the found properties}, after redirects."""
        body = '<propfind xmlns="DAV:"><prop>%s</prop></propfind>' % "".join(
            '<x:%s xmlns:x="%s"/>' % (name.split("}")[1], name.split("}")[0][1:]) for name in properties)
        answer = self.send("PROPFIND", path, body, depth=depth, content_type="application/xml")
        if answer.status in (301, 302, 307, 308):
            return self.propfind(urllib.parse.urlsplit(answer.headers["Location"]).path, depth, *properties)
        found = {}
        for response in answer.xml().iter(DAV + "response"):
            for stat in response.iter(DAV + "propstat"):
                if " 200 " in stat.findtext(DAV + "status"):
                    found[response.findtext(DAV + "href")] = stat.find(DAV + "prop")
        return found

    def books(self):
        """The path of each book by its last part, from the address only."""
        def href(path, name):
            (found,) = self.propfind(path, 0, name).values()
            return found.findtext(".//%s/%shref" % (name, DAV))
        home = href(href("/.well-known/carddav", DAV + "current-user-principal"), CARD + "addressbook-home-set")
        found = self.propfind(home, 1, DAV + "resourcetype")
        return {urllib.parse.unquote(path.rstrip("/").rsplit("/", 1)[1]): path for path, properties in found.items()
                if properties.find(".//" + CARD + "addressbook") is not None}

    def path(self, name=None):
        self.book = self.book or self.books()[self.name]
        return self.book if name is None else self.book + urllib.parse.quote(name, "") + ".vcf"

    def tags(self):
        """{href: ETag} of the book's cards."""
        found = self.propfind(self.path(), 1, DAV + "getetag")
        return {href: properties.findtext(DAV + "getetag") for href, properties in found.items() if href.endswith(".vcf")}

    def get(self, href):
        return self.send("GET", href).good(200).text

    def cards(self):
        """{UID: (href, text)} of the whole book, by multigets of a hundred."""
        found, hrefs = {}, list(self.tags())
        for at in range(0, len(hrefs), 100):
            asked = "".join("<href>%s</href>" % href for href in hrefs[at:at + 100])
            body = ('<c:addressbook-multiget xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><prop><getetag/>'
                    '<c:address-data/></prop>%s</c:addressbook-multiget>' % asked)
            answer = self.send("REPORT", self.path(), body, depth=0, content_type="application/xml")
            for response in answer.xml().iter(DAV + "response"):
                text = response.findtext(".//%saddress-data" % CARD)
                if text:
                    uid = re.search(r"^UID[^:\n]*:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", text, re.M)[1]
                    uid = re.sub(r"\r?\n[ \t]", "", uid)
                    assert uid not in found, "two cards have the UID %s" % uid
                    found[uid] = (response.findtext(DAV + "href"), text)
        return found

    def card(self, uid):
        return self.cards()[uid]

    def put(self, name, text):
        self.send("PUT", self.path(name), text, content_type="text/vcard; charset=utf-8", if_none_match="*").good()

    def change(self, uid, edit):
        """Writes edit(text) of the card, as a device that has just read it."""
        href, text = self.card(uid)
        tag = self.propfind(href, 0, DAV + "getetag")[href].findtext(DAV + "getetag")
        self.send("PUT", href, edit(text), content_type="text/vcard; charset=utf-8", if_match=tag).good()

    def delete(self, uid):
        self.send("DELETE", self.card(uid)[0]).good(200, 204)

    def clear(self):
        for href in self.tags():
            self.send("DELETE", href).good(200, 204)


class Follower:
    """Follows a book by sync-collection. tags: {href: ETag}, as a listing would tell it."""

    def __init__(self, device, limit=None):
        self.device, self.limit, self.token, self.tags, self.starts = device, limit, "", {}, 0

    def ask(self):
        """One request; true if the answer was cut and there is more."""
        limit = "<limit><nresults>%d</nresults></limit>" % self.limit if self.limit else ""
        body = ('<sync-collection xmlns="DAV:"><sync-token>%s</sync-token><sync-level>1</sync-level>%s<prop><getetag/></prop>'
                '</sync-collection>' % (self.token, limit))
        answer = self.device.send("REPORT", self.device.path(), body, depth=0, content_type="application/xml")
        if answer.status in (403, 409) and "valid-sync-token" in answer.text:
            self.token, self.tags, self.starts = "", {}, self.starts + 1
            return True
        tree, more = answer.xml(), False
        for response in tree.iter(DAV + "response"):
            href, status = response.findtext(DAV + "href"), response.findtext(DAV + "status") or ""
            if " 507 " in status:
                more = True
            elif " 404 " in status:
                self.tags.pop(href, None)
            elif href.endswith(".vcf"):
                self.tags[href] = response.findtext(".//%sgetetag" % DAV)
        self.token = tree.findtext(DAV + "sync-token")
        return more

    def follow(self):
        while self.ask():
            pass
        return self.tags

    def difference(self):
        listed = self.device.tags()
        return {href: (self.tags.get(href), listed.get(href)) for href in self.tags.keys() | listed.keys()
                if self.tags.get(href) != listed.get(href)}

    def until_equal(self):
        """Whether it soon knows what a listing shows: an event is visible when all older transactions have ended."""
        until = time.monotonic() + EVENTS_S
        while self.follow() is not None and self.difference() and time.monotonic() < until:
            time.sleep(0.1)
        return not self.difference()


class Api:
    """kith's API, as a colleague in the console uses it."""

    def send(self, method, path, body=None, status=200):
        parts = urllib.parse.urlsplit(KITH_URL)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_S)
        headers = {"Authorization": "Bearer " + KITH_KEY, "Content-Type": "application/json"}
        connection.request(method, path, body if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status == status, "%s %s: %d %s" % (method, path, answer.status, text[:2000])
        return json.loads(text).get("data") if text else None

    def people_list(self):
        found, path = [], "/v1/people?limit=100"
        while path:
            page = self.send("GET", path)
            found += page["items"]
            link = (page.get("pagination") or {}).get("nextLink")
            path = link and link[link.index("/v1/"):]
        return found

    def people(self):
        """All people, by name."""
        return {person["fullName"]: person for person in self.people_list()}


# --- a relay ------------------------------------------------------------------------------------

class Relay:
    """Stands between a client and the server, counts bytes and notes requests. It can cut connections before the
    answer: when cut is true for a request's first line, the server gets the request, and the client no answer."""

    REQUEST = re.compile(rb"(?:^|\n)(GET|HEAD|PUT|POST|DELETE|OPTIONS|PROPFIND|PROPPATCH|REPORT|MKCOL) (\S+) HTTP/1")

    def __init__(self, url=URL):
        parts = urllib.parse.urlsplit(url)
        self.target, self.cut = (parts.hostname, parts.port), None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d%s" % (self.listener.getsockname()[1], parts.path)
        self.reset()
        threading.Thread(target=self.accept, daemon=True).start()

    def reset(self):
        self.sent, self.received, self.requests = 0, 0, []

    def methods(self):
        return [request.split()[0] for request in self.requests]

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(self.target)
            except OSError:
                client.close()
                continue
            state = {"cut": False}
            threading.Thread(target=self.pump, args=(client, server, True, state), daemon=True).start()
            threading.Thread(target=self.pump, args=(server, client, False, state), daemon=True).start()

    def pump(self, source, sink, is_request, state):
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                if is_request:
                    self.sent += len(part)
                    for match in self.REQUEST.finditer(part):
                        line = (match[1] + b" " + match[2]).decode()
                        self.requests.append(line)
                        cut = self.cut
                        state["cut"] |= bool(cut and cut(line))
                elif state["cut"]:
                    break
                else:
                    self.received += len(part)
                sink.sendall(part)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


# --- vdirsyncer ---------------------------------------------------------------------------------

class Vdirsyncer:
    """A folder of cards and vdirsyncer between it and the server, which is told nothing but the address."""

    def __init__(self, folder, url=URL, conflict='"b wins"', book=BOOK, password=PASSWORD):
        self.folder, self.book = pathlib.Path(folder), book
        self.folder.mkdir(parents=True, exist_ok=True)
        self.environment = {"VDIRSYNCER_CONFIG": str(self.folder / "config")}
        (self.folder / "config").write_text("""[general]
status_path = "{0}/status/"
[pair cards]
a = "here"
b = "there"
collections = ["from b"]
metadata = ["displayname"]
{1}
[storage here]
type = "filesystem"
path = "{0}/cards/"
fileext = ".vcf"
[storage there]
type = "carddav"
url = {2}
username = {3}
password = {4}
""".format(self.folder, "conflict_resolution = " + conflict if conflict else "", *map(json.dumps, (url, USER, password))))
        self.path = self.folder / "cards" / book

    def command(self, *arguments, check=True, timeout=600):
        return run("vdirsyncer", *arguments, check=check, text="y\n" * 100, environment=self.environment, timeout=timeout)

    def start(self):
        """The process of a run, which the caller may kill."""
        return subprocess.Popen(["vdirsyncer", "sync"], env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def discover(self):
        return self.command("discover")

    def sync(self, check=True):
        return self.command("sync", check=check)

    def settle(self, most=4):
        """Runs until nothing changes, as timers would."""
        for _ in range(most):
            before, said = self.files(), self.sync(check=False)
            if before == self.files() and "error" not in said.lower() and "Copying" not in said and "Deleting" not in said:
                return said
        raise AssertionError("never at rest:\n" + said[-4000:])

    def files(self):
        # Temporary files end in .tmp.
        return {file.name: file.read_bytes().decode() for file in self.path.glob("*.vcf")}

    def cards(self):
        """{UID: text}; a UID that two files have is an error."""
        found = {}
        for name, text in self.files().items():
            uid = re.search(r"^UID[^:\n]*:(.*?)\r?$", re.sub(r"\r?\n[ \t]", "", text), re.M)
            assert uid, "%s has no UID" % name
            assert uid[1] not in found, "two files have the UID %s" % uid[1]
            found[uid[1]] = text
        return found

    def file(self, uid):
        """The file of a card; None if there is none."""
        pattern = re.compile(r"^UID[^:\n]*:%s\r?$" % re.escape(uid), re.M)
        return next((file for file in self.path.glob("*.vcf") if pattern.search(re.sub(r"\r?\n[ \t]", "", file.read_bytes().decode()))), None)

    def write(self, uid, text):
        """As programs that use such folders: a new file, or one that replaces the old."""
        path = self.file(uid) or self.path / (re.sub(r"[^\w.-]", "_", uid) + ".vcf")
        fresh = path.with_suffix(".new")
        fresh.write_bytes(text.encode())
        fresh.rename(path)

    def change(self, uid, edit):
        self.write(uid, edit(self.cards()[uid]))

    def delete(self, uid):
        self.file(uid).unlink()


# --- cases ---------------------------------------------------------------------------------------

CASES = []


def case(function=None, kith=False):
    """A case, which gets a folder of its own. kith: it is about kith."""
    def add(f):
        CASES.append((f, kith))
        return f
    return add(function) if function else add


def main():
    """Runs the cases whose names contain one of the arguments, each with an empty book; the exit code says whether all passed."""
    failed, words = 0, sys.argv[1:]
    wanted = [f for f, kith in CASES if f.__module__ == "__main__" and (KITH_KEY or not kith)
              and (not words or any(word in f.__name__ for word in words))]
    if not wanted:
        sys.exit("no case has %s in its name" % " or ".join(words))
    for f in wanted:
        folder, began = tempfile.mkdtemp(prefix="kith-dav-"), time.monotonic()
        try:
            Device().clear()
            f(pathlib.Path(folder))
            print("ok      %s (%.1f s)" % (f.__name__, time.monotonic() - began), flush=True)
        except Exception:
            failed += 1
            print("FAILED  %s\n%s" % (f.__name__, traceback.format_exc()), flush=True)
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)
