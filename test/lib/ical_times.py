"""Reads calendars with libical and python-dateutil, and compares the times of their events with those in files.

ical_times.py URL FILE URL FILE. libical reads only the first calendar. Lines of a file: id of the reminder, rule, seconds since 1970 with commas between them and "..."
at the end if there are more; with tabs between the three.
"""
import io
import sys
from datetime import datetime, timezone
from urllib.request import urlopen
from zoneinfo import ZoneInfo

import gi
from dateutil.rrule import rrulestr
from dateutil.tz import tzical

gi.require_version("ICalGLib", "3.0")
from gi.repository import ICalGLib  # noqa: E402


def asked(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            uid, rule, times = line.rstrip("\n").split("\t")
            values = times.split(",")
            more = values[-1] == "..."
            yield uid + "@kith", rule, [int(v) for v in (values[:-1] if more else values)], more


def events_of(text):
    """By UID: the lines of DTSTART and RRULE."""
    found, event = {}, {}
    for line in text.replace("\r\n ", "").split("\r\n"):
        if line == "BEGIN:VEVENT":
            event = {}
        elif line == "END:VEVENT":
            found[event["UID"]] = event
        elif ":" in line:
            name, value = line.split(":", 1)
            event.setdefault(name.split(";")[0], value)
            event.setdefault(name.split(";")[0] + " with", name)
    return found


def by_dateutil(event, zones, most):
    name = event["DTSTART with"].partition("TZID=")[2]
    zone = zones(name) if name else timezone.utc
    start = datetime.strptime(event["DTSTART"].rstrip("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=zone)
    times = [start]
    if "RRULE" in event:
        times = rrulestr("RRULE:" + event["RRULE"], dtstart=start)
    found = []
    for at in times:
        second = int(at.astimezone(timezone.utc).timestamp())
        if second not in found:
            found.append(second)
        if len(found) > most:
            break
    return found


def by_libical(event, most):
    start = event.get_dtstart()
    zone = start.get_timezone()
    rule = event.get_first_property(ICalGLib.PropertyKind.RRULE_PROPERTY)
    if rule is None:
        return [start.as_timet_with_zone(zone)]
    times = ICalGLib.RecurIterator.new(rule.get_rrule(), start)
    found = []
    while len(found) <= most:
        at = times.next()
        if at is None or at.is_null_time():
            break
        found.append(at.as_timet_with_zone(zone))
    return found


def compare(judge, rule, expected, more, found):
    if found[: len(expected)] == expected and more == (len(found) > len(expected)):
        return 0
    print(f"{judge}: {rule}\n  kith  {expected[:6]} {len(expected)} {more}\n  judge {found[:6]} {len(found)}", file=sys.stderr)
    return 1


def read(url):
    text = urlopen(url).read().decode("utf-8")
    assert all(len(line.encode("utf-8")) <= 75 for line in text.split("\r\n"))
    return text


def judge_dateutil(text, path, zones):
    events = events_of(text)
    for uid, rule, times, more in asked(path):
        yield compare("dateutil", rule, times, more, by_dateutil(events[uid], zones, len(times)))


def judge_libical(text, path):
    whole, kind, events = ICalGLib.Component.new_from_string(text), ICalGLib.ComponentKind.VEVENT_COMPONENT, {}
    event = whole.get_first_component(kind)
    while event is not None:
        events[event.get_uid()] = event
        event = whole.get_next_component(kind)
    for uid, rule, times, more in asked(path):
        assert events[uid].get_summary() == rule[rule.index("RRULE"):]
        yield compare("libical", rule, times, more, by_libical(events[uid], len(times)))


def main(usual_url, usual, random_url, random):
    text = read(usual_url)
    zones = tzical(io.StringIO(text.replace("\r\n", "\n"))).get
    judged = [*judge_dateutil(text, usual, zones), *judge_libical(text, usual)]
    # dateutil reads no times that a change of the clock skips or repeats from VTIMEZONE as RFC 5545 does.
    judged += judge_dateutil(read(random_url), random, ZoneInfo)
    print(f"{len(judged)} rules, {sum(judged)} differences")
    return 1 if sum(judged) else 0


sys.exit(main(*sys.argv[1:]))
