"""What only kith has: colleagues who work in the console while the address book is on a phone, groups, companies,
custom fields, and passwords that may do less.
    /usr/bin/python3 test/dav/shared.py [PART OF A CASE'S NAME...]    with the environment of judge.py
"""
import random

from judge import Api, Device, Follower, Vdirsyncer, case, main, plain_card
from vcards import edited, first

api = Api()


def person(name, **fields):
    return api.send("POST", "/v1/people", {"fullName": name, **fields})


def read(record):
    return api.send("GET", "/v1/people/" + record["id"])


def started(folder, **options):
    client = Vdirsyncer(folder / "v", **options)
    client.discover()
    client.settle()
    return client


def password(*scopes):
    return api.send("POST", "/v1/keys", {"name": "Tablet", "scopes": ["contacts", *scopes]})


def uid_of(client, name):
    (uid,) = (uid for uid, text in client.cards().items() if first(text, "FN") == name)
    return uid


@case(kith=True)
def a_colleague_edits(folder):
    ann = person("Ann Lee", emails=["ann@example.com"], jobTitle="Weaver")
    bo = person("Bo Lee")
    client = started(folder)
    uid = uid_of(client, "Ann Lee")
    assert first(client.cards()[uid], "TITLE") == "Weaver"
    api.send("PATCH", "/v1/people/" + ann["id"], {"jobTitle": "Dyer"})
    api.send("DELETE", "/v1/people/" + bo["id"])
    client.sync()
    assert first(client.cards()[uid], "TITLE") == "Dyer" and len(client.cards()) == 1
    client.change(uid, lambda text: edited(edited(text, "TITLE", "Painter"), "NOTE", "From the phone"))
    client.sync()
    assert (read(ann)["jobTitle"], read(ann)["description"], read(ann)["emails"]) == ("Painter", "From the phone", ["ann@example.com"])
    events = api.send("GET", "/v1/events?record=" + ann["id"])["items"]
    vias = [event["actor"]["via"] for event in events if event["type"] == "person.updated"]
    assert vias == ["api", "carddav"], vias


@case(kith=True)
def a_phone_that_knows_nothing_of_kith(folder):
    """Groups, companies, custom fields and further addresses stay when a client writes only what it knows."""
    group = api.send("POST", "/v1/groups", {"name": "Sales", "visibility": "public"})
    api.send("POST", "/v1/groups/%s/custom-fields/person" % group["id"], {"name": "Size", "type": "textField"})
    ann = person("Ann Lee", groups=[{"id": group["id"]}], companies=[{"name": "Acme"}, {"name": "Umbrella"}],
                 addresses=["1 Main St", "2 Side St"], customFieldValues={group["id"]: {"Size": "XL"}})
    client = started(folder)
    uid = uid_of(client, "Ann Lee")
    lines = ["TEL:+1 555 0100"] + ["ORG:Acme"] * ("ORG:Acme" in client.cards()[uid])
    client.change(uid, lambda text: plain_card(uid, "Ann Leigh", *lines))
    client.sync()
    now = read(ann)
    assert (now["fullName"], now["phones"]) == ("Ann Leigh", ["+1 555 0100"]), now
    for member in ("groups", "customFieldValues"):
        assert now[member] == ann[member], now
    assert [company["name"] for company in now["companies"]] == ["Acme", "Umbrella"], now


@case(kith=True)
def the_book_of_a_group(folder):
    group = api.send("POST", "/v1/groups", {"name": "Friends", "visibility": "private"})
    ann = person("Ann Lee", groups=[{"id": group["id"]}])
    person("Di Stays", groups=[{"id": group["id"]}])
    person("Bo Lee")
    device = Device()
    assert {"people", group["id"]} <= device.books().keys(), device.books()
    client = started(folder, book=group["id"])
    uid = uid_of(client, "Ann Lee")
    assert len(client.cards()) == 2
    client.write("joins", plain_card("joins", "Cy Joins"))
    client.delete(uid)
    client.sync()
    client.settle()
    people = api.people()
    assert [g["id"] for g in people["Cy Joins"]["groups"]] == [group["id"]]
    assert read(ann)["groups"] == [] and len(device.cards()) == 4
    everybody = Vdirsyncer(folder / "v", book="people")
    assert {first(text, "FN") for text in everybody.cards().values()} == {"Ann Lee", "Bo Lee", "Cy Joins", "Di Stays"}
    api.send("PATCH", "/v1/people/" + people["Cy Joins"]["id"], {"groups": []})
    client.sync()
    assert [first(text, "FN") for text in client.cards().values()] == ["Di Stays"]
    api.send("DELETE", "/v1/groups/" + group["id"])


@case(kith=True)
def sync_collection_tells_what_colleagues_did(folder):
    """People come, change, join and leave a group, are merged and deleted. What clients know from the changes of each
    book is what its listing shows, whether they ask often, seldom, or for a few changes at a time."""
    rng, group = random.Random(5), api.send("POST", "/v1/groups", {"name": "Crew", "visibility": "private"})
    books = ["people", group["id"]]
    followers = [Follower(Device(book=book), limit) for book in books for limit in (None, 3)]
    seldom = [Follower(Device(book=book)) for book in books]
    living = [person("Person %d" % i, groups=[{"id": group["id"]}][:i % 2]) for i in range(8)]
    for one in seldom:
        one.follow()
    for n in range(80):
        one, doing = rng.choice(living), rng.choice(["make", "change", "change", "join", "leave", "delete", "merge", "note"])
        path = "/v1/people/" + one["id"]
        if doing == "make" or len(living) < 4:
            living.append(person("Made %d" % n, groups=[{"id": group["id"]}][:n % 2]))
        elif doing == "change":
            api.send("PATCH", path, {"jobTitle": "Job %d" % n})
        elif doing in ("join", "leave"):
            api.send("PATCH", path, {"groups": [{"id": group["id"]}] if doing == "join" else []})
        elif doing == "delete":
            api.send("DELETE", path)
            living.remove(one)
        elif doing == "merge":
            other = rng.choice([other for other in living if other is not one])
            api.send("POST", path + "/merge", {"id": other["id"]})
            living.remove(other)
        else:
            api.send("POST", "/v1/notes", {"entity": {"id": one["id"]}, "content": "x", "visibility": "public"})
        if n % 5 == 0:
            for follower in followers:
                assert follower.until_equal(), (n, doing, follower.device.book, follower.limit, follower.difference())
    for follower in followers + seldom:
        assert follower.until_equal(), (follower.device.book, follower.limit, follower.difference())
        assert follower.starts == 0, follower.starts
    api.send("DELETE", "/v1/groups/" + group["id"])


@case(kith=True)
def a_merge_is_a_removal(folder):
    ann, twin = person("Ann Lee", emails=["a@example.com"]), person("Ann M. Lee", phones=["+1 555 0100"])
    client = started(folder)
    api.send("POST", "/v1/people/%s/merge" % ann["id"], {"id": twin["id"]})
    client.sync()
    (text,) = client.cards().values()
    assert first(text, "TEL") == "+1 555 0100" and first(text, "FN") == "Ann Lee"


@case(kith=True)
def a_password_that_only_reads(folder):
    ann = person("Ann Lee")
    tablet = password("read")
    client = started(folder, password=tablet["key"])
    uid = uid_of(client, "Ann Lee")
    client.change(uid, lambda text: edited(text, "FN", "Ann Other"))
    client.write("new", plain_card("new", "New Here"))
    said = client.sync(check=False)
    assert "403" in said or "Forbidden" in said, said
    assert read(ann)["fullName"] == "Ann Lee" and api.people().keys() == {"Ann Lee"}


@case(kith=True)
def a_password_that_may_not_delete(folder):
    ann, _ = person("Ann Lee"), person("Bo Lee")
    client = started(folder, password=password()["key"])
    client.delete(uid_of(client, "Ann Lee"))
    said = client.sync(check=False)
    assert "403" in said or "Forbidden" in said, said
    assert read(ann)["fullName"] == "Ann Lee"


@case(kith=True)
def a_password_that_has_ended(folder):
    """The device keeps what it has, and deletes nothing on either side."""
    person("Ann Lee")
    tablet = password("delete")
    client = started(folder, password=tablet["key"])
    api.send("DELETE", "/v1/keys/" + tablet["id"])
    said = client.sync(check=False)
    assert "401" in said or "Unauthorized" in said, said
    assert len(client.cards()) == 1 and api.people().keys() == {"Ann Lee"}


if __name__ == "__main__":
    main()
