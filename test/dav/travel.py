"""Random cards travel through vdirsyncer and through tsdav to the server and back, and are edited there. Nothing may be
lost and nothing doubled.
    TRAVEL_CARDS=1000 TRAVEL_SEED=7 /usr/bin/python3 test/dav/travel.py     with the environment of judge.py
"""
import json
import os
import random

from judge import Device, Vdirsyncer, case, main, run
from vcards import difference, edited, meaning, random_cards

COUNT = int(os.environ.get("TRAVEL_CARDS", 1000))
SEED = int(os.environ.get("TRAVEL_SEED", random.randrange(1 << 30)))
# Radicale's library cannot read all of vCard 2.1 and 4.0.
VERSIONS = os.environ.get("TRAVEL_VERSIONS", "3.0 3.0 3.0 4.0 4.0 2.1").split()
# Properties that the server is known to lose.
IGNORED = os.environ.get("TRAVEL_IGNORED", "").split()
SHOWN = 12

EDITS = [
    ("FN", "Edited Náme 🙂"),
    ("NOTE", "one, two; three\\four\nfive"),
    ("TITLE", "Chief, Äther"),
    ("X-AIM", "someone else"),
    ("NICKNAME", "Nick"),
]


def assert_all(expected, found, what):
    assert expected.keys() == found.keys(), "%s: only on one side: %s" % (what, sorted(expected.keys() ^ found.keys())[:5])
    wrong = ["%s\n    %s" % (uid, "\n    ".join(lines)) for uid, text in expected.items() if (lines := difference(text, found[uid], IGNORED))]
    assert not wrong, "%s: %d of %d cards differ:\n%s" % (what, len(wrong), len(expected), "\n".join(wrong[:SHOWN]))


@case
def random_cards_travel(folder):
    print("TRAVEL_SEED=%d TRAVEL_CARDS=%d" % (SEED, COUNT), flush=True)
    rng, device, client = random.Random(SEED), Device(), Vdirsyncer(folder / "v")
    expected = random_cards(SEED, COUNT, VERSIONS)
    client.discover()
    for uid, text in expected.items():
        client.write(uid, text)
    client.settle()
    assert_all(expected, {uid: text for uid, (_, text) in device.cards().items()}, "sent")
    assert_all(expected, client.cards(), "sent and read")

    for uid in rng.sample(sorted(expected), COUNT // 2):
        name, value = rng.choice(EDITS)
        expected[uid] = edited(expected[uid], name, value)
        client.change(uid, lambda text: edited(text, name, value))
    client.settle()
    assert_all(expected, {uid: text for uid, (_, text) in device.cards().items()}, "edited here")

    cards = device.cards()
    for uid in rng.sample(sorted(expected), min(COUNT // 5, 100)):
        name, value = rng.choice(EDITS)
        expected[uid] = edited(expected[uid], name, value)
        href, text = cards[uid]
        device.send("PUT", href, edited(text, name, value), content_type="text/vcard; charset=utf-8").good()
    client.settle()
    assert_all(expected, client.cards(), "edited there")
    assert_all(expected, {uid: text for uid, (_, text) in device.cards().items()}, "in the end")
    assert max(n for text in client.cards().values() for n in meaning(text).values()) == 1


@case
def random_cards_travel_by_tsdav(folder):
    run("test/web/install", "build/web", timeout=600)
    rng, expected = random.Random(SEED), random_cards(SEED + 1, COUNT, VERSIONS)
    asked, got = folder / "asked", folder / "got"

    def write(cards):
        asked.write_text(json.dumps(cards))
        run("node", "--preserve-symlinks", "--preserve-symlinks-main", "build/web/scripts/carddav_cards.mjs", str(asked), str(got), timeout=900)
        return json.loads(got.read_text())
    found = write(expected)
    assert_all(expected, found, "written")
    for uid in rng.sample(sorted(expected), COUNT // 2):
        name, value = rng.choice(EDITS)
        expected[uid], found[uid] = edited(expected[uid], name, value), edited(found[uid], name, value)
    assert_all(expected, write(found), "edited")


if __name__ == "__main__":
    main()
