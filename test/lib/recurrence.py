"""Recurrence rules with the times that python-dateutil and zoneinfo give for them.

recurrence.py SEED COUNT prints one rule a line: the rule with "\\n" for its line
feed, a tab, an instant in milliseconds, a tab, and the next up to five times
strictly after that instant and each other, with commas between.

Left out is where dateutil reads RFC 5545 in a way of its own: BYDAY with and
without numbers mixed, BYWEEKNO without BYDAY, BYSETPOS in a first week or with
WKST, negative week numbers but -1.
"""
import datetime as calendar
import random
import sys
from datetime import datetime, timedelta, timezone
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

ZONES = """Europe/Berlin Europe/London America/New_York America/Los_Angeles America/Sao_Paulo Asia/Kolkata
Asia/Kathmandu Australia/Lord_Howe Australia/Sydney Pacific/Apia Pacific/Chatham Africa/Casablanca Africa/Cairo
Asia/Tehran Asia/Tokyo America/St_Johns Asia/Gaza Atlantic/Azores Antarctica/Troll Europe/Dublin Pacific/Kiritimati
America/Nuuk Etc/GMT+5 Etc/UTC""".split()
DAYS = "MO TU WE TH FR SA SU".split()
calendar.MAXYEAR = 2100  # where dateutil gives up: later is slow, and no time is expected from it
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)


def some(r, values, most):
    return ",".join(str(v) for v in sorted(r.sample(list(values), r.randint(1, most))))


def both(r, most, count):
    values = [v for v in range(1, most + 1)] + [-v for v in range(1, most + 1)]
    return some(r, values, count)


def days(r, freq, by_week):
    if freq in ("MONTHLY", "YEARLY") and not by_week and r.random() < 0.5:
        most = 5 if freq == "MONTHLY" else 20
        return ",".join(f"{r.choice([1, -1]) * r.randint(1, most)}{d}" for d in r.sample(DAYS, r.randint(1, 3)))
    return ",".join(r.sample(DAYS, r.randint(1, 4)))


def times(r, freq, parts):
    if freq in ("YEARLY", "MONTHLY", "WEEKLY", "DAILY"):
        if r.random() < 0.3:
            parts["BYHOUR"] = some(r, [0, 1, 2, 3, 9, 12, 17, 23], 4)
        if r.random() < 0.2:
            parts["BYMINUTE"] = some(r, range(60), 3)
        if r.random() < 0.1:
            parts["BYSECOND"] = some(r, range(60), 2)
    elif freq == "HOURLY":
        if r.random() < 0.3:
            parts["BYHOUR"] = some(r, range(24), 8)
        if r.random() < 0.4:
            parts["BYMINUTE"] = some(r, range(60), 4)
    elif freq == "MINUTELY":
        if r.random() < 0.4:
            parts["BYMINUTE"] = some(r, range(60), 20)
        if r.random() < 0.4:
            parts["BYSECOND"] = some(r, range(60), 3)
    elif r.random() < 0.4:
        parts["BYSECOND"] = some(r, range(60), 20)


def make(r):
    freq = r.choice("YEARLY MONTHLY WEEKLY DAILY HOURLY MINUTELY SECONDLY".split())
    parts = {"FREQ": freq}
    if r.random() < 0.5:
        parts["INTERVAL"] = str(r.choice([1, 2, 3, 4, 5, 7, 11]))
    by_week = freq == "YEARLY" and r.random() < 0.15
    if by_week:
        parts["BYWEEKNO"] = some(r, [1, 2, 10, 20, 26, 52, 53, -1], 3)
        parts["WKST"] = r.choice(DAYS)
    if by_week or (freq in ("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY") and r.random() < 0.4):
        parts["BYDAY"] = days(r, freq, by_week)
    if freq in ("YEARLY", "MONTHLY", "DAILY") and not by_week and r.random() < 0.3:
        parts["BYMONTHDAY"] = both(r, 31, 6)
    if freq == "YEARLY" and not by_week and len(parts) < 4 and r.random() < 0.2:
        parts["BYYEARDAY"] = both(r, 366, 8)
    if freq in ("YEARLY", "MONTHLY", "WEEKLY", "DAILY") and not by_week and "BYYEARDAY" not in parts and r.random() < 0.3:
        parts["BYMONTH"] = some(r, range(1, 13), 5)
    times(r, freq, parts)
    if freq in ("YEARLY", "MONTHLY", "DAILY", "HOURLY") and len(parts) > 2 and r.random() < 0.3:
        if any(p.startswith("BY") for p in parts):
            parts["BYSETPOS"] = both(r, 4, 3)
    if freq == "WEEKLY" and r.random() < 0.4:
        parts["WKST"] = r.choice(DAYS)
    return parts


def changes(zone, year):
    """Hours of that year in which the zone's offset changes."""
    day = datetime(year, 1, 1, tzinfo=timezone.utc)
    while day.year == year:
        if day.astimezone(zone).utcoffset() != (day + 24 * HOUR).astimezone(zone).utcoffset():
            for at in (day + n * HOUR for n in range(24)):
                if at.astimezone(zone).utcoffset() != (at + HOUR).astimezone(zone).utcoffset():
                    yield at
        day += 24 * HOUR


def start(r, zone, cache):
    """Half of them within a day of a change of the clock."""
    year = r.randint(2009, 2045)
    if (zone.key, year) not in cache:
        cache[zone.key, year] = list(changes(zone, year))
    if cache[zone.key, year] and r.random() < 0.5:
        at = r.choice(cache[zone.key, year]).astimezone(zone).replace(tzinfo=None)
        return at + timedelta(minutes=r.choice([0, 15, 30, 45, 60]) - r.choice([0, 60, 90, 1440]))
    return datetime(year, r.randint(1, 12), r.choice([1, 9, 15, 28]), r.randint(0, 23), r.randint(0, 59), r.randint(0, 59))


def instant(local, zone):
    return local.replace(tzinfo=zone).astimezone(timezone.utc)


def millis(at):
    return int((at - EPOCH) / timedelta(milliseconds=1))


def line(r, cache):
    zone = ZoneInfo(r.choice(ZONES))
    begin = start(r, zone, cache)
    parts = make(r)
    shape = r.random()
    if shape < 0.25:
        parts["COUNT"] = str(r.randint(1, 40))
    rule = ";".join(f"{k}={v}" for k, v in r.sample(sorted(parts.items()), len(parts)))
    try:
        locals_ = list(islice(rrulestr("RRULE:" + rule, dtstart=begin), 60))
    except (ValueError, IndexError):  # dateutil refuses rules that never come true, and fails on some others
        return None
    if 0.25 <= shape < 0.4 and locals_:
        until = instant(r.choice(locals_), zone)
        rule += ";UNTIL=" + until.strftime("%Y%m%dT%H%M%SZ")
        locals_ = [at for at in locals_ if instant(at, zone) <= until]
    whole = "UNTIL" in rule or len(locals_) == int(parts.get("COUNT", -1))
    instants = sorted({instant(at, zone) for at in locals_})
    if not whole:
        instants = instants[:-4]  # later ones may still fall between them
    first = instants[0] if instants else instant(begin, zone)
    after = first - timedelta(seconds=1)
    if instants and r.random() < 0.8:
        after = r.choice(instants[: len(instants) // 2 + 1]) - timedelta(seconds=r.choice([0, 0, 1, 60]))
    later = [at for at in instants if at > after][:5]
    if not whole and len(later) < 5:
        return None
    text = f"DTSTART;TZID={zone.key}:{begin:%Y%m%dT%H%M%S}\\nRRULE:{rule}"
    return f"{text}\t{millis(after)}\t{','.join(str(millis(at)) for at in later)}"


def main():
    r = random.Random(int(sys.argv[1]))
    cache, made = {}, 0
    while made < int(sys.argv[2]):
        text = line(r, cache)
        if text:
            print(text)
            made += 1


main()
