"""How long vdirsyncer takes for a large book, told nothing but the address; what its next run costs, and what a client of
sync-collection reads for one change.
    VOLUME_PEOPLE=50000 VOLUME_SECONDS=60 /usr/bin/python3 test/dav/volume.py     with the environment of judge.py
"""
import os
import pathlib
import shutil
import tempfile
import time

from judge import KITH_KEY, Api, Device, Follower, Relay, Vdirsyncer, plain_card
from vcards import edited, first

PEOPLE = int(os.environ.get("VOLUME_PEOPLE", 50000))
SECONDS = float(os.environ.get("VOLUME_SECONDS", 60))
BATCH = 100
CHANGE_BYTES = int(os.environ.get("VOLUME_CHANGE_BYTES", 10 * 1024))


def person(i):
    return {"fullName": "Person Number%d" % i, "emails": ["p%d@example.com" % i, "p%d@work.example" % i],
            "phones": ["+49 30 %07d" % i], "jobTitle": "Weaver", "description": "Met at the fair of %d" % (1990 + i % 30),
            "addresses": ["%d Main Street, Springfield" % i], "urls": ["https://example.com/%d" % i]}


def fill():
    if not KITH_KEY:
        device = Device()
        for i in range(PEOPLE):
            device.put("p%d" % i, plain_card("p%d" % i, "Person Number%d" % i, "EMAIL:p%d@example.com" % i))
        return
    api = Api()
    for at in range(0, PEOPLE, BATCH):
        api.send("POST", "/v1/people/batch/create", {"records": [person(i) for i in range(at, min(at + BATCH, PEOPLE))]})


def change(device, href):
    if KITH_KEY:
        Api().send("PATCH", "/v1/people/" + href.rsplit("/", 1)[1][:-len(".vcf")], {"fullName": "Changed"})
    else:
        device.send("PUT", href, edited(device.get(href), "FN", "Changed"), content_type="text/vcard").good()


def middle(run):
    """The median time of a call in milliseconds."""
    times = []
    for _ in range(15):
        began = time.monotonic()
        run()
        times.append((time.monotonic() - began) * 1000)
    return sorted(times)[7]


def compare_reads(device, href):
    """A card costs about as much as the person, however many there are. Without an index it was twenty times."""
    card = middle(lambda: device.get(href))
    print("one card: %.1f ms" % card, flush=True)
    if KITH_KEY:
        person = middle(lambda: Api().send("GET", "/v1/people/" + href.rsplit("/", 1)[1][:-len(".vcf")]))
        assert card < 6 * person + 10, (card, person)


def timed(what, relay, run):
    relay.reset()
    began = time.monotonic()
    result = run()
    took = time.monotonic() - began
    print("%s: %.2f s, %d bytes read" % (what, took, relay.received), flush=True)
    return took, result


def main():
    fill()
    # vdirsyncer waits for the disk after each card, so the test would measure the disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder, relay = pathlib.Path(tempfile.mkdtemp(prefix="kith-volume-", dir=memory)), Relay()
    try:
        client = Vdirsyncer(folder, url=relay.url)
        client.discover()
        took, _ = timed("vdirsyncer reads %d people" % PEOPLE, relay, client.sync)
        names = {first(text, "FN") for text in client.files().values()}
        assert len(names) == PEOPLE, len(names)
        timed("its next run", relay, client.sync)
        assert set(relay.methods()) == {"PROPFIND"}, relay.methods()
        device = Device(relay.url)
        follower = Follower(device)
        timed("sync-collection reads all names", relay, follower.follow)
        assert len(follower.tags) == PEOPLE, len(follower.tags)
        href = next(iter(follower.tags))
        compare_reads(device, href)
        change(device, href)
        timed("sync-collection reads a change", relay, follower.follow)
        assert relay.received < CHANGE_BYTES, relay.received
        timed("vdirsyncer reads a change", relay, client.sync)
        assert sum("FN:Changed" in text for text in client.files().values()) == 1
        assert took < SECONDS, "%.1f s" % took
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
