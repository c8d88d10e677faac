"""Random edits on both sides of address books, while the server and the clients are killed. In the end all sides are
equal, every card has what its writer wrote last, and no card is there twice.
    SOAK_MINUTES=2 SOAK_SEED=7 /usr/bin/python3 test/dav/soak.py
with the environment of judge.py, and KITH_PROGRAM, KITH_DATABASE_URL, KITH_DATA_DIR for a server that is killed, beside the
one of KITH_URL, which is not.

Each card has one writer, who numbers its versions in the note. A client that is killed between a PUT and its own notes
sees a conflict in the next run, and keeps the higher number. Cards of all writers are only compared between the sides. A
client that was killed may also bring a deleted card back: it cannot know better. So deletes are only judged while no client
was killed.
"""
import contextlib
import http.client
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

import judge
from judge import PATIENCE_S, Api, Device, Follower, Vdirsyncer, plain_card
from vcards import difference, edited, first

SECONDS = float(os.environ.get("SOAK_MINUTES", 2)) * 60
SEED = int(os.environ.get("SOAK_SEED", random.randrange(1 << 30)))
KILL_CLIENTS = os.environ.get("SOAK_KILL_CLIENTS", "yes") == "yes"
FAULT_S = 6
MERGE = """#!/bin/sh
# Keeps the higher number of a note in both files.
number() { sed -n 's/^NOTE[^:]*:n\\([0-9]*\\).*/\\1/p' "$1"; }
a=$(number "$1") b=$(number "$2")
if [ "${a:-0}" -gt "${b:-0}" ]; then cp "$1" "$2"; else cp "$2" "$1"; fi
"""

ended = threading.Event()
found = []


def report(text):
    found.append(text)
    print("FOUND   " + text, flush=True)


# --- the server that is killed ---------------------------------------------------------------

class Server:
    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.url, self.kills, self.child = "http://127.0.0.1:%d" % self.port, 0, None
        self.log = tempfile.TemporaryFile()

    def start(self):
        arguments = ["--listen=127.0.0.1:%d" % self.port, "--rate_default=0", "--rate_burst=0"]
        self.child = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", os.environ["KITH_PROGRAM"], "serve", *arguments],
                                      stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return
            time.sleep(0.05)
        raise AssertionError("the server does not start")

    def stop(self, number):
        if self.child.poll() not in (None, 0):
            report("the server has ended by itself with %d" % self.child.returncode)
        self.child.send_signal(number)
        self.child.wait(PATIENCE_S)
        self.kills += 1

    def reports(self):
        self.log.seek(0)
        return [line for line in self.log.read().decode("utf-8", "replace").splitlines()
                if re.search(r'Sanitizer|runtime error:|"component":"fatal"|"status":500', line)]


# --- writers -------------------------------------------------------------------------------------

class Writer(threading.Thread):
    """Changes its own cards, in rounds, until the end. last: {UID: number, or None when it was deleted}."""

    def __init__(self, name, seed):
        super().__init__(daemon=True)
        self.name, self.rng, self.last, self.number, self.rounds = name, random.Random(seed), {}, 0, 0

    def run(self):
        while not ended.is_set():
            try:
                self.round()
                self.rounds += 1
            except Exception as error:
                report("%s: %r" % (self.name, error))
                ended.wait(1)

    def next(self):
        self.number += 1
        return self.number

    def living(self):
        return [uid for uid, number in self.last.items() if number]

    def choose(self):
        """What to do, and to which card."""
        living = self.living()
        if len(living) < 5 or (self.rng.random() < 0.3 and len(living) < 80):
            return "make", "%s-%d" % (self.name, self.next())
        return self.rng.choices(["edit", "delete"], [8, 1])[0], self.rng.choice(living)


class Folder(Writer):
    """Somebody with vdirsyncer."""

    def __init__(self, name, seed, folder, url):
        super().__init__(name, seed)
        script = folder / "merge"
        script.write_text(MERGE)
        script.chmod(0o755)
        self.client, self.kills, self.clean = Vdirsyncer(folder / name, url=url, conflict='["command", "%s"]' % script), 0, set()

    def edit(self):
        doing, uid = self.choose()
        if doing == "delete" and uid not in self.clean:
            doing = "edit"
        number = self.next()
        if doing == "make":
            self.client.write(uid, plain_card(uid, "Made By %s" % self.name, "NOTE:n%d" % number, "X-OWN:%s" % uid,
                                              "EMAIL;TYPE=HOME:%s@example.com" % uid))
        elif doing == "edit":
            self.client.change(uid, lambda text: edited(text, self.rng.choice(["TITLE", "X-PLACE"]), "At %d" % number))
            self.client.change(uid, lambda text: edited(text, "NOTE", "n%d" % number))
        else:
            self.client.delete(uid)
            number = None
        self.last[uid] = number

    def round(self):
        for _ in range(self.rng.randint(0, 6)):
            self.edit()
        # Cards of everybody.
        if self.rng.random() < 0.3:
            uid = "shared-%d" % self.rng.randrange(5)
            text = self.client.cards().get(uid) or plain_card(uid, "Shared")
            self.client.write(uid, edited(text, "NOTE", "n%d" % self.next()))
        process = self.client.start()
        if KILL_CLIENTS and self.rng.random() < 0.25:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self.rng.uniform(0.3, 2))
            process.kill()
            self.kills += 1
        if process.wait(PATIENCE_S) == 0:
            self.clean = set(self.living())


class Colleague(Writer):
    """Somebody in the console of the server that is not killed."""

    def __init__(self, name, seed):
        super().__init__(name, seed)
        self.api, self.ids = Api(), {}

    def round(self):
        doing, uid = self.choose()
        number = self.next()
        if doing == "make":
            self.ids[uid] = self.api.send("POST", "/v1/people", {"fullName": uid, "description": "n%d" % number})["id"]
        elif doing == "edit":
            self.api.send("PATCH", "/v1/people/" + self.ids[uid], {"description": "n%d" % number, "jobTitle": "At %d" % number})
        else:
            self.api.send("DELETE", "/v1/people/" + self.ids[uid])
            number = None
        self.last[uid] = number
        ended.wait(self.rng.uniform(0, 0.3))


class Phone(Writer):
    """Somebody with a phone: sync-collection, and plain PUT and DELETE, which it repeats after a lost answer."""

    def __init__(self, name, seed, url):
        super().__init__(name, seed)
        self.device = Device(url)
        self.follower = Follower(self.device)

    def until_known(self, send):
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                answer = send()
                if answer.status not in (500, 502, 503, 504):
                    return answer
            time.sleep(0.2)

    def round(self):
        doing, uid = self.choose()
        number, path = self.next(), self.until_known_path() + uid + ".vcf"
        card = plain_card(uid, "Made By Phone", "NOTE:n%d" % number, "X-OWN:%s" % uid)
        if doing == "delete":
            answer, number = self.until_known(lambda: self.device.send("DELETE", path)), None
        else:
            answer = self.until_known(lambda: self.device.send("PUT", path, card, content_type="text/vcard"))
        if answer.status not in (200, 201, 204) and not (doing == "delete" and answer.status == 404):
            report("%s %s: %d %s" % (doing, path, answer.status, answer.text[:300]))
        self.last[uid] = number
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.follower.follow()
        ended.wait(self.rng.uniform(0, 0.5))

    def until_known_path(self):
        while not self.device.book:
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.device.path()
        return self.device.book


def faults(server, relay, rng):
    """Kills and ends the server, stops it for a while, and cuts connections before the answer."""
    while not ended.wait(rng.uniform(FAULT_S / 2, FAULT_S * 1.5)):
        kind = rng.choice(["kill", "kill", "end", "stop", "cut"])
        if kind == "stop":
            server.child.send_signal(signal.SIGSTOP)
            time.sleep(rng.uniform(0.1, 2))
            server.child.send_signal(signal.SIGCONT)
        elif kind == "cut":
            method = rng.choice(["PUT", "REPORT", "PROPFIND", "DELETE"])
            relay.cut = lambda line: line.startswith(method)
            time.sleep(rng.uniform(0.1, 2))
            relay.cut = None
        else:
            server.stop(signal.SIGKILL if kind == "kill" else signal.SIGTERM)
            time.sleep(rng.uniform(0, 1))
            server.start()


# --- the end ----------------------------------------------------------------------------------------

def number_of(text):
    return int(re.match(r"n(\d+)", first(text, "NOTE") or "n0")[1])


def compare(folders, phone, writers):
    """After the last runs: every side, and every card against its writer."""
    device = phone.device
    for _ in range(3):
        for one in folders:
            one.client.settle(8)
    there = device.cards()
    for one in folders:
        here = one.client.cards()
        if here.keys() != there.keys():
            report("%s and the server: only on one side %s" % (one.name, sorted(here.keys() ^ there.keys())[:9]))
        for uid in here.keys() & there.keys():
            if lines := difference(here[uid], there[uid][1]):
                report("%s and the server: %s differs: %s" % (one.name, uid, lines))
    phone.follower.follow()
    if phone.follower.tags != device.tags():
        ours, theirs = phone.follower.tags, device.tags()
        report("sync-collection and the listing differ: %s" % [(h, ours.get(h), theirs.get(h)) for h in ours.keys() | theirs.keys()
                                                               if ours.get(h) != theirs.get(h)][:9])
    names, back = {first(text, "FN"): text for _, text in there.values()}, 0
    people = Api().people_list()
    if len(people) != len(there):
        report("%d people and %d cards" % (len(people), len(there)))
    kills = sum(one.kills for one in folders)
    for writer in writers:
        for uid, number in writer.last.items():
            text = names.get(uid) if isinstance(writer, Colleague) else there.get(uid, (None, None))[1]
            if number and not text:
                report("%s is lost" % uid)
            elif number and number_of(text) != number:
                report("%s has the note %d instead of %d" % (uid, number_of(text), number))
            elif text and not number:
                back += 1
                if not kills:
                    report("%s is back" % uid)
    return len(there), back


def main():
    print("SOAK_SEED=%d" % SEED, flush=True)
    rng, server, folder = random.Random(SEED), Server(), pathlib.Path(tempfile.mkdtemp(prefix="kith-soak-"))
    server.start()
    Device().clear()
    relay = judge.Relay(server.url)
    folders = [Folder("ann", SEED + 1, folder, relay.url), Folder("bo", SEED + 2, folder, relay.url)]
    phone = Phone("phone", SEED + 3, relay.url)
    writers = [*folders, phone, Colleague("colleague", SEED + 4)]
    for one in folders:
        one.client.discover()
    threads = [*writers, threading.Thread(target=faults, args=(server, relay, rng), daemon=True)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    while not ended.wait(min(10, SECONDS / 4)):
        left = SECONDS - (time.monotonic() - began)
        print("%4d s  %s; server ended %d times, clients %d times" % (
            time.monotonic() - began, ", ".join("%s %d rounds" % (w.name, w.rounds) for w in writers), server.kills,
            sum(one.kills for one in folders)), flush=True)
        if left <= 0:
            ended.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    # A server ends with the thread that started it; the first one may have met no fault.
    relay.cut = None
    server.child.kill()
    server.child.wait(PATIENCE_S)
    server.start()
    count = back = 0
    try:
        count, back = compare(folders, phone, writers)
    except Exception as error:
        report("the last runs: %s" % error)
    server.stop(signal.SIGTERM)
    for line in server.reports():
        report(line)
    shutil.rmtree(folder, ignore_errors=True)
    print("soak-carddav: %s; %d cards of %d written, %d came back from killed clients" % (
        "FAILED" if found else "passed", count, sum(len(w.last) for w in writers), back))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
