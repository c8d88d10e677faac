"""Programs that people use with address books judge the server: vdirsyncer, khard, cadaver, syncevolution and vobject.
    /usr/bin/python3 test/dav/clients.py [PART OF A CASE'S NAME...]    with the environment of judge.py
"""
import json
import random
import re
import subprocess
import urllib.parse

import vobject

from judge import PASSWORD, URL, USER, Device, Follower, Relay, Vdirsyncer, case, main, plain_card, run
from vcards import difference, edited, first, random_cards

PEOPLE = 12


def fill(device, count=PEOPLE):
    """Cards of a phone, by UID."""
    made = {}
    for i in range(count):
        uid, name = "uid-%d" % i, "Person Number%d" % i
        made[uid] = plain_card(uid, name, "EMAIL;TYPE=INTERNET,HOME:p%d@example.com" % i, "TEL;TYPE=CELL:+49 30 12345%02d" % i,
                               "item1.URL:https://example.com/%d" % i, "item1.X-ABLabel:_$!<HomePage>!$_", "X-Mood:calm\\, %d" % i)
        device.put(uid, made[uid])
    return made


def begun(folder, **options):
    """A device and a folder that vdirsyncer has filled with its cards."""
    device = Device()
    made = fill(device)
    client = Vdirsyncer(folder / "v", **options)
    client.discover()
    client.settle()
    return device, client, made


def assert_same(first, second, what=""):
    found = difference(first, second)
    assert not found, "%s differ:\n%s" % (what or "the cards", "\n".join(found))


def assert_both(client, device):
    """Both sides have the same cards with the same content."""
    here, there = client.cards(), device.cards()
    assert here.keys() == there.keys(), "only on one side: %s" % (here.keys() ^ there.keys())
    for uid, text in here.items():
        assert_same(text, there[uid][1], uid)


# --- vdirsyncer ------------------------------------------------------------------------------------

@case
def vdirsyncer_needs_only_the_address(folder):
    device, client, made = begun(folder)
    assert client.cards().keys() == made.keys()
    for uid, text in made.items():
        assert_same(text, client.cards()[uid], uid)
    assert_both(client, device)


@case
def vdirsyncer_finds_nothing_to_read_again(folder):
    relay = Relay()
    begun(folder, url=relay.url)
    relay.reset()
    Vdirsyncer(folder / "v", url=relay.url).sync()
    assert set(relay.methods()) == {"PROPFIND"}, relay.requests


@case
def vdirsyncer_carries_edits(folder):
    device, client, _ = begun(folder)
    device.change("uid-1", lambda text: edited(text, "FN", "Told There"))
    client.change("uid-2", lambda text: edited(edited(text, "FN", "Told Here"), "NOTE", "one; two, three\nfour"))
    client.sync()
    assert first(client.cards()["uid-1"], "FN") == "Told There"
    assert first(device.card("uid-2")[1], "FN") == "Told Here"
    assert first(device.card("uid-2")[1], "NOTE") == "one; two, three\nfour"
    client.settle()
    assert_both(client, device)


@case
def vdirsyncer_carries_new_cards(folder):
    device, client, _ = begun(folder)
    card = plain_card("new-here", "New Here", "EMAIL:here@example.com", "X-OWN;X-P=\"a;b\":c")
    client.write("new-here", card)
    device.put("new-there", plain_card("new-there", "New There"))
    client.sync()
    assert "new-there" in client.cards()
    assert_same(card, device.card("new-here")[1])
    client.settle()
    assert_same(card, client.cards()["new-here"])
    assert_both(client, device)
    assert len(device.tags()) == PEOPLE + 2


@case
def vdirsyncer_carries_deletes(folder):
    device, client, _ = begun(folder)
    device.delete("uid-1")
    client.delete("uid-2")
    client.sync()
    assert "uid-1" not in client.cards() and "uid-2" not in device.cards()
    client.settle()
    assert_both(client, device)
    assert len(device.tags()) == PEOPLE - 2


def conflict(folder, setting):
    """Both sides change a card before a run."""
    device, client, _ = begun(folder, conflict=setting)
    device.change("uid-3", lambda text: edited(text, "FN", "Told There"))
    client.change("uid-3", lambda text: edited(text, "FN", "Told Here"))
    said = client.sync(check=False)
    return device, client, said


@case
def vdirsyncer_conflict_the_server_wins(folder):
    device, client, _ = conflict(folder, '"b wins"')
    client.settle()
    assert first(device.card("uid-3")[1], "FN") == first(client.cards()["uid-3"], "FN") == "Told There"
    assert_both(client, device)


@case
def vdirsyncer_conflict_the_folder_wins(folder):
    device, client, _ = conflict(folder, '"a wins"')
    client.settle()
    assert first(device.card("uid-3")[1], "FN") == first(client.cards()["uid-3"], "FN") == "Told Here"
    assert_both(client, device)


@case
def vdirsyncer_conflict_without_a_setting(folder):
    device, client, said = conflict(folder, None)
    assert "onflict" in said, said
    assert first(device.card("uid-3")[1], "FN") == "Told There" and first(client.cards()["uid-3"], "FN") == "Told Here"


@case
def vdirsyncer_conflict_a_program_decides(folder):
    program = folder / "decide"
    program.write_text("#!/bin/sh\nsed s/Here/Both/ \"$1\" >\"$1.new\"\ncp \"$1.new\" \"$1\"\nmv \"$1.new\" \"$2\"\n")
    program.chmod(0o755)
    device, client, _ = conflict(folder, json.dumps(["command", str(program)]))
    client.settle()
    assert first(device.card("uid-3")[1], "FN") == first(client.cards()["uid-3"], "FN") == "Told Both"
    assert_both(client, device)


@case
def vdirsyncer_sees_who_was_faster(folder):
    """A card changes between vdirsyncer's listing and its PUT: the PUT must fail, and nothing is lost."""
    device, relay = Device(), Relay()
    client = Vdirsyncer(folder / "v", url=relay.url, conflict='"a wins"')
    fill(device)
    client.discover()
    client.settle()
    client.change("uid-4", lambda text: edited(text, "FN", "Told Here"))
    changed = []

    def meanwhile(line):
        if line.startswith("PUT") and not changed:
            changed.append(line)
            device.change("uid-4", lambda text: edited(text, "FN", "Told There"))
        return False
    relay.cut = meanwhile
    client.sync(check=False)
    assert changed and first(device.card("uid-4")[1], "FN") == "Told There"
    client.settle()
    assert first(device.card("uid-4")[1], "FN") == "Told Here"
    assert_both(client, device)


@case
def vdirsyncer_repeats_what_got_no_answer(folder):
    """The server does what was asked, but vdirsyncer gets no answer."""
    device, relay = Device(), Relay()
    client = Vdirsyncer(folder / "v", url=relay.url, conflict='"b wins"')
    fill(device)
    client.discover()
    client.settle()
    for n, method in enumerate(["PUT", "PUT", "DELETE"]):
        if n == 0:
            client.write("lost", plain_card("lost", "Lost Answer"))
        elif n == 1:
            client.change("uid-5", lambda text: edited(text, "FN", "Lost Edit"))
        else:
            client.delete("uid-6")
        relay.cut = lambda line: line.startswith(method)
        client.sync(check=False)
        relay.cut = None
        client.settle()
        assert_both(client, device)
    assert first(device.card("uid-5")[1], "FN") == "Lost Edit"
    assert len(device.tags()) == PEOPLE


@case
def two_vdirsyncers_end_equal(folder):
    device, one, _ = begun(folder)
    two = Vdirsyncer(folder / "w")
    two.discover()
    two.settle()
    for n in range(4):
        one.change("uid-7", lambda text: edited(text, "FN", "One %d" % n))
        two.change("uid-7", lambda text: edited(text, "NOTE", "Two %d" % n))
        one.write("both-%d" % n, plain_card("both-%d" % n, "Made By One"))
        two.write("both-%d" % n, plain_card("both-%d" % n, "Made By Two"))
        runs = [client.start() for client in (one, two)]
        for process in runs:
            process.wait(120)
        one.settle()
        two.settle()
        one.settle()
        assert_both(one, device)
        assert_both(two, device)
    assert len(device.tags()) == PEOPLE + 4


@case
def vdirsyncer_names_the_book(folder):
    device, client, _ = begun(folder)
    client.command("metasync")
    (client.path / "displayname").write_text("Our Ärzte & <co>")
    client.command("metasync")
    (properties,) = device.propfind(device.path(), 0, "{DAV:}displayname").values()
    assert properties.findtext("{DAV:}displayname") == "Our Ärzte & <co>"


# --- plain requests ----------------------------------------------------------------------------------

@case
def sync_collection_tells_every_change(folder):
    """What a client knows from the changes is what a listing shows."""
    device, rng = Device(), random.Random(11)
    whole, late = Follower(device), Follower(device)
    fill(device)
    whole.follow()
    for n in range(60):
        href = rng.choice(sorted(whole.tags))
        doing = rng.choice(["new", "change", "change", "delete", "twice", "again"])
        if doing in ("new", "twice"):
            device.put("sync-%d" % n, plain_card("sync-%d" % n, "Sync %d" % n))
        if doing == "twice":
            device.send("DELETE", device.path("sync-%d" % n)).good(200, 204)
        elif doing == "change":
            device.send("PUT", href, edited(device.get(href), "TITLE", "%d" % n), content_type="text/vcard").good()
        elif doing in ("delete", "again") and len(whole.tags) > 3:
            text = device.get(href)
            device.send("DELETE", href).good(200, 204)
            if doing == "again":
                device.put("sync-%d" % n, text)
        if n % 7:
            assert whole.until_equal(), (n, doing, whole.difference())
    assert whole.until_equal() and late.until_equal(), (whole.difference(), late.difference())
    assert whole.starts == 0


# --- khard -------------------------------------------------------------------------------------------

class Khard:
    """khard on the folder of vdirsyncer."""

    def __init__(self, folder, client):
        (folder / "khard.conf").write_text("[addressbooks]\n[[people]]\npath = %s\n[general]\neditor = true\nmerge_editor = true\n"
                                           "[vcard]\nprivate_objects = Mood,\n" % client.path)
        self.folder = folder

    def run(self, *arguments, text=""):
        return run("khard", "--config", str(self.folder / "khard.conf"), *arguments, text=text)


@case
def khard_lists_and_changes(folder):
    device, client, made = begun(folder)
    khard = Khard(folder, client)
    assert len(khard.run("list", "--parsable").splitlines()) == len(made)
    assert "p3@example.com" in khard.run("email", "--parsable", "Number3")
    # khard's own form: what it does not know stays in the card.
    form = khard.run("show", "--format=yaml", "Number3")
    new = folder / "changed.yaml"
    new.write_text(re.sub(r"(?m)^Title *:.*$", "Title : Painter", form))
    khard.run("edit", "--input-file", str(new), "Number3", text="y\n")
    client.settle()
    theirs = device.card("uid-3")[1]
    assert first(theirs, "TITLE") == "Painter" and first(theirs, "X-MOOD") == "calm, 3"
    fresh = folder / "fresh.yaml"
    fresh.write_text("First name : Kay\nLast name : Hard\nEmail :\n    work : kay@example.com\nNote : |\n    first\n    second\n")
    khard.run("new", "--input-file", str(fresh), text="y\n")
    client.settle()
    (uid,) = (uid for uid, (_, text) in device.cards().items() if first(text, "FN") == "Kay Hard")
    assert first(device.card(uid)[1], "NOTE").strip() == "first\nsecond"
    khard.run("remove", "--force", "Kay")
    client.settle()
    assert uid not in device.cards()
    assert_both(client, device)


# --- syncevolution -----------------------------------------------------------------------------------

class Syncevolution:
    """A folder of cards and syncevolution between it and the server. Its engine writes every card anew, with empty
    values of what it knows."""

    def __init__(self, folder):
        self.home, self.book = folder, folder / "book"
        self.book.mkdir()
        account = ["username=" + USER, "password=" + PASSWORD, "syncURL=" + URL]
        self.run("--configure", "--template", "none", *account, "backend=carddav", "target-config@there", "contacts")
        self.run("--configure", "--template", "none", "username=", "password=", "syncURL=local://@there", "peerIsClient=1", "sync=two-way",
                 "backend=file", "databaseFormat=text/vcard", "database=file://%s" % self.book, "local@here", "contacts")

    def run(self, *arguments):
        places = {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / "config"), "XDG_CACHE_HOME": str(self.home / "cache"),
                  "XDG_DATA_HOME": str(self.home / "data")}
        return run("syncevolution", "--daemon=no", "--keyring=no", *arguments, environment=places)

    def sync(self, *mode):
        """Returns how many items each side got or lost."""
        said = self.run(*mode, "local@here", "contacts")
        assert said.count("Synchronization successful") == 2, said
        rows = re.findall(r"\|\s+contacts \|((?:\s+\d+\s+\|){9})", said)
        return [[int(n) for n in re.findall(r"\d+", row)] for row in rows]

    def cards(self):
        """By name, without what the engine left empty."""
        texts = [file.read_bytes().decode() for file in self.book.iterdir()]
        return {first(text, "FN"): re.sub(r"(?m)^[\w-]+:;*\r\n", "", text) for text in texts}


@case
def syncevolution_syncs_both_ways(folder):
    device = Device()
    made = fill(device)
    client = Syncevolution(folder)
    client.sync("--sync", "slow")
    assert len(client.cards()) == len(made)
    for text in made.values():
        # The engine writes labels otherwise, and no UID.
        found = difference(text, client.cards()[first(text, "FN")], ignore=("UID", "URL"))
        assert not found, found
    device.change("uid-1", lambda text: edited(text, "FN", "Told There"))
    device.delete("uid-2")
    (file,) = (file for file in client.book.iterdir() if "Number3" in file.read_text())
    file.write_bytes(edited(file.read_bytes().decode(), "FN", "Told Here").encode())
    (client.book / "new").write_bytes(plain_card("new", "New Here").encode())
    client.sync()
    names = {first(text, "FN") for _, text in device.cards().values()}
    assert {"Told There", "Told Here", "New Here"} < names == client.cards().keys(), names
    assert first(device.card("uid-3")[1], "X-MOOD") == "calm, 3"
    client.sync()
    assert client.sync() == [[0] * 9] * 2


# --- cadaver ----------------------------------------------------------------------------------------

@case
def cadaver_lists_reads_writes_deletes(folder):
    device = Device()
    made = fill(device)
    url = urllib.parse.urljoin(URL, device.path())
    (folder / ".netrc").write_text("machine 127.0.0.1\nlogin %s\npassword %s\n" % (USER, PASSWORD))
    (folder / "new.vcf").write_bytes(plain_card("cadaver", "Cad Aver").encode())

    def cadaver(*commands):
        return run("cadaver", "-t", url, text="\n".join(commands) + "\nquit\n", environment={"HOME": str(folder)})
    said = cadaver("ls")
    listed = {line.split()[0] for line in said.splitlines() if re.match(r"\s+\S+\.vcf\s+\d+", line)}
    assert len(listed) == len(made), said
    name = sorted(listed)[0]
    said = cadaver("lcd %s" % folder, "get %s read.vcf" % name, "put new.vcf cadaver.vcf")
    assert said.count("succeeded") == 2, said
    uid = first((folder / "read.vcf").read_bytes().decode(), "UID")
    assert_same(made[uid], (folder / "read.vcf").read_bytes().decode())
    assert first(device.card("cadaver")[1], "FN") == "Cad Aver"
    assert "succeeded" in cadaver("delete cadaver.vcf")
    assert "cadaver" not in device.cards()
    assert "succeeded" not in cadaver("mkcol folder")


# --- litmus ------------------------------------------------------------------------------------------

@case
def litmus_talks_http(folder):
    """litmus wants a folder of its own, which address books do not have; so its report ends there. Until then
    everything must be right, and the refusal must be a plain one."""
    done = subprocess.run(["litmus", "-k", urllib.parse.urljoin(URL, Device().path()), USER, PASSWORD], capture_output=True, text=True,
                          cwd=folder, env={"TESTS": "http basic", "HTDOCS": "/usr/share/litmus/htdocs", "PATH": "/usr/bin:/bin"}, timeout=120)
    said = done.stdout + done.stderr
    assert re.search(r"init\.+ pass", said), said
    assert "connection" not in said.lower() and "timed out" not in said.lower(), said


# --- vobject ------------------------------------------------------------------------------------------

@case
def vobject_reads_what_is_served(folder):
    device = Device()
    made = {uid: text for uid, text in random_cards(3, 60).items() if "VERSION:3.0" in text}
    for uid, text in made.items():
        device.put(uid, text)
    for uid, (_, text) in device.cards().items():
        card = vobject.readOne(text)
        assert card.uid.value == uid
        assert card.fn.value == first(made[uid], "FN")
        card.validate()


if __name__ == "__main__":
    main()
