"""Evolution's data server, which Evolution, GNOME Contacts and Calls share, judges the server.
    /usr/bin/python3 test/dav/evolution.py [PART OF A CASE'S NAME...]    with the environment of judge.py
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

from judge import PASSWORD, URL, USER, Device, case, main, plain_card
from vcards import edited, first

PATIENCE_S = 60


def inside():
    """Runs the script again with a home and a message bus of its own, in which the bus starts the data server."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="kith-evolution-"))
    settings = home / "config/glib-2.0/settings"
    settings.mkdir(parents=True)
    (settings / "keyfile").write_text("[org/gnome/evolution-data-server]\nnetwork-monitor-gio-name='always-online'\n")
    places = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "XDG_CACHE_HOME": home / "cache", "XDG_DATA_HOME": home / "data",
              "XDG_RUNTIME_DIR": home, "GSETTINGS_BACKEND": "keyfile", "KITH_EVOLUTION": "inside"}
    environment = {**os.environ, **{name: str(value) for name, value in places.items()}}
    done = subprocess.run(["dbus-run-session", "--", sys.executable, "-B", *sys.argv], env=environment)
    shutil.rmtree(home, ignore_errors=True)
    sys.exit(done.returncode)


if "KITH_EVOLUTION" not in os.environ:
    inside()

import gi  # noqa: E402
gi.require_version("EBook", "1.2")
from gi.repository import EBook, EBookContacts, EDataServer, GLib  # noqa: E402


def wait_for(condition):
    """Lets events happen until the condition is something, and returns it."""
    context, until = GLib.MainContext.default(), time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < until, "Evolution's data server does nothing more"
        context.iteration(False) or time.sleep(0.01)
    return found


class Evolution:
    """An address book of Evolution, as its dialog makes it: the book, the user name and the password."""

    def __init__(self):
        registry = EDataServer.SourceRegistry.new_sync(None)
        registry.commit_source_sync(self.source(), None)
        self.book, self.errors = None, []
        self.kept = wait_for(lambda: registry.ref_source("kith"))
        self.kept.connect("credentials-required", self.authenticate)
        EBook.BookClient.connect(self.kept, PATIENCE_S, None, self.connected)
        wait_for(lambda: self.book or self.errors)
        assert self.book, self.errors

    @staticmethod
    def source():
        parts = urllib.parse.urlsplit(URL)
        source = EDataServer.Source.new_with_uid("kith", None)
        source.set_display_name("kith")
        source.get_extension(EDataServer.SOURCE_EXTENSION_ADDRESS_BOOK).set_backend_name("carddav")
        account = source.get_extension(EDataServer.SOURCE_EXTENSION_AUTHENTICATION)
        account.set_host(parts.hostname)
        account.set_port(parts.port)
        account.set_user(USER)
        account.set_method("plain/password")
        source.get_extension(EDataServer.SOURCE_EXTENSION_SECURITY).set_method("none")
        source.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_resource_path(Device().path())
        return source

    def authenticate(self, source, *_):
        credentials = EDataServer.NamedParameters.new()
        credentials.set(EDataServer.SOURCE_CREDENTIAL_USERNAME, USER)
        credentials.set(EDataServer.SOURCE_CREDENTIAL_PASSWORD, PASSWORD)
        source.invoke_authenticate(credentials, None, None)

    def connected(self, _, result):
        try:
            self.book = EBook.BookClient.connect_finish(result)
        except GLib.Error as error:
            self.errors.append(error)

    def contacts(self):
        """By full name."""
        _, contacts = self.book.get_contacts_sync("#t", None)
        return {contact.get_property("full-name"): contact for contact in contacts}

    def until(self, names):
        def same():
            # A refresh that began before the password arrived makes the data server forget it, and it asks only once.
            if self.kept.get_connection_status() != EDataServer.SourceConnectionStatus.CONNECTED:
                self.authenticate(self.kept)
            self.book.refresh_sync(None)
            return self.contacts().keys() == names
        wait_for(same)
        return self.contacts()


@case
def evolution_reads_and_edits(folder):
    device = Device()
    for name in ("Ada Lovelace", "Bea Birch", "Cy Cedar"):
        device.put(name, plain_card(name, name, "TEL;TYPE=CELL:+49 30 1", "X-MOOD:calm", "item1.URL:https://example.com", "item1.X-ABLabel:Blog"))
    evolution = Evolution()
    contacts = evolution.until({"Ada Lovelace", "Bea Birch", "Cy Cedar"})

    ada = contacts["Ada Lovelace"]
    ada.set_property("title", "Countess")
    evolution.book.modify_contact_sync(ada, EBookContacts.BookOperationFlags.NONE, None)
    text = device.card("Ada Lovelace")[1]
    assert (first(text, "TITLE"), first(text, "TEL"), first(text, "X-MOOD")) == ("Countess", "+49 30 1", "calm"), text
    assert first(text, "X-ABLABEL") == "Blog", text

    evolution.book.add_contact_sync(EBookContacts.Contact.new_from_vcard(plain_card("new", "New Here", "EMAIL:new@example.com")),
                                    EBookContacts.BookOperationFlags.NONE, None)
    evolution.book.remove_contact_sync(contacts["Cy Cedar"], EBookContacts.BookOperationFlags.NONE, None)
    assert {first(text, "FN") for _, text in device.cards().values()} == {"Ada Lovelace", "Bea Birch", "New Here"}

    device.change("Bea Birch", lambda card: edited(card, "FN", "Bea Beech"))
    device.delete("Ada Lovelace")
    contacts = evolution.until({"Bea Beech", "New Here"})
    assert contacts["New Here"].get_property("email-1") == "new@example.com"


if __name__ == "__main__":
    main()
