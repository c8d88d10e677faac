"""Failovers and switchovers by Patroni under keyed load; see test/patroni/run, which calls it in a folder of its own.

Each round is a case: every writer is served within 5 s of the promotion. At the end no acknowledged write is lost and
none is done twice. In some rounds the old primary is started by hand after a failover, so that two servers accept
writes; a process of kith that starts then must use the new one, wherever it stands in the URL.
"""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import psycopg2

BIN = sys.argv[1]
WORK = os.getcwd()
FAILOVERS = int(os.environ.get("PATRONI_FAILOVERS", "20"))
SWITCHOVERS = int(os.environ.get("PATRONI_SWITCHOVERS", "5"))
NODES, SERVERS, WRITERS = 3, 2, 4
WAIT_S, REST_S = 180, 0.01
SERVICE_S = float(os.environ.get("PATRONI_SERVICE_S", "5"))  # to be raised on a busy machine
SPLIT_EVERY = 5  # failovers
FAILED_MAX = 2  # no further rounds then
PASSWORD = "secret"


class Failure(Exception):
    pass


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(condition, what, seconds=WAIT_S, rest=0.1):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise Failure("%s: not within %d s" % (what, seconds))
        time.sleep(rest)


def start(name, args, env=None):
    with open("%s/%s.log" % (WORK, name), "a") as log:
        return subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)


def end(process, number=signal.SIGTERM):
    if process and process.poll() is None:
        process.send_signal(number)
    if process:
        process.wait(60)


def children(pid):
    """The processes whose parent it is."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % entry) as f:
                if int(f.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(entry))
        except (OSError, IndexError, ValueError):
            pass
    return found


# --- servers ---------------------------------------------------------------------------------


def documented():
    """The configuration that docs/failover.md shows."""
    with open("failover.md") as f:
        return re.search(r"^## Patroni$.*?^```yaml\n(.*?)^```", f.read(), re.S | re.M).group(1)


class Node:
    def __init__(self, i, etcd):
        self.name, self.port, self.rest = "db%d" % i, free_port(), free_port()
        self.dir = "%s/%s" % (WORK, self.name)
        self.data, self.file = self.dir + "/data", self.dir + "/patroni.yml"
        self.patroni = self.asked = None
        text = documented()
        os.mkdir(self.dir, 0o700)
        for pattern, value in (
            (r"name: db1", "name: " + self.name),
            (r"10\.0\.0\.1:8008", "127.0.0.1:%d" % self.rest),
            (r'"10\.0\.0\.1:2379[^"]*"', '"127.0.0.1:%d"' % etcd),
            (r"10\.0\.0\.1:5432", "127.0.0.1:%d" % self.port),
            (r"10\.0\.0\.0/24", "127.0.0.1/32"),
            (r"/var/lib/postgresql/15/kith", self.data),
            (r"/usr/lib/postgresql/15/bin", BIN),
            (r"/var/lib/postgresql/pgpass", self.dir + "/pgpass"),
            (r"/var/run/postgresql", self.dir),
            (r'"…"', '"%s"' % PASSWORD),
        ):
            text, n = re.subn(pattern, value, text)
            if not n:
                raise Failure("the documented configuration has no %s" % pattern)
        with open(self.file, "w") as f:
            f.write(text)

    def start(self):
        self.patroni = start(self.name, ["patroni", self.file])

    def postmaster(self):
        try:
            with open(self.data + "/postmaster.pid") as f:
                return int(f.readline())
        except (OSError, ValueError):
            return 0

    def kill_postgres(self):
        pid = self.postmaster()
        if pid:
            pids = [pid] + children(pid)
            for p in pids:
                try:
                    os.kill(p, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            until(lambda: not any(os.path.exists("/proc/%d/cwd" % p) for p in pids), "the end of PostgreSQL", 20)

    def kill(self):
        """As when its machine loses power."""
        self.patroni.kill()
        self.kill_postgres()
        self.patroni.wait()

    def ask(self, sql):
        """A row, None while the server does not answer."""
        try:
            if not self.asked:
                self.asked = psycopg2.connect(host="127.0.0.1", port=self.port, user="postgres", password=PASSWORD,
                                              dbname="postgres", connect_timeout=2)
                self.asked.autocommit = True
            with self.asked.cursor() as cursor:
                cursor.execute(sql)
                return cursor.fetchone()
        except psycopg2.Error:
            if self.asked:
                self.asked.close()
            self.asked = None
            return None

    def leads(self):
        return self.ask("select pg_is_in_recovery()") == (False,)


def leader(nodes):
    return next((n for n in nodes if n.leads()), None)


def settled(nodes):
    """The leader, when all others follow it and one of them confirms its commits."""
    for n in nodes:
        if n.leads() and n.ask("select count(*), count(*) filter (where sync_state = 'sync') from pg_stat_replication "
                               "where state = 'streaming'") == (NODES - 1, 1):
            return n
    return None


def run_sql(node, sql, dbname="postgres"):
    c = psycopg2.connect(host="127.0.0.1", port=node.port, user="postgres", password=PASSWORD, dbname=dbname)
    try:
        c.autocommit = True
        with c.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall() if cursor.description else None
    finally:
        c.close()


# --- kith ------------------------------------------------------------------------------------


class Kith:
    def __init__(self, nodes):
        self.env = {"PATH": os.environ["PATH"], "KITH_DATA_DIR": WORK + "/kith-data", "KITH_RATE_DEFAULT": "0",
                    "KITH_RATE_BURST": "0",
                    "KITH_DATABASE_URL": "host=%s port=%s user=kith password=%s dbname=kith" % (
                        ",".join("127.0.0.1" for _ in nodes), ",".join(str(n.port) for n in nodes), PASSWORD)}

    def command(self, *args):
        out = subprocess.run([WORK + "/kith", *args], env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             timeout=120, check=True).stdout
        return json.loads(out.splitlines()[0]) if out.strip() else None

    def serve(self, name):
        """A process, and its port once it is ready."""
        port = free_port()
        process = start(name, [WORK + "/kith", "serve", "--listen", "127.0.0.1:%d" % port], self.env)
        until(lambda: process.poll() is not None or request(port, None, "GET", "/readyz")[0] == 200, name + " ready", 60)
        if process.poll() is not None:
            raise Failure("%s has ended" % name)
        return process, port


def request(port, key, method, path, once=None, body=None):
    """Status, body, and whether it is a stored answer; status 0: none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": "Bearer " + key} if key else {}
    if once:
        headers["Idempotency-Key"] = once
    if body:
        headers["Content-Type"] = "application/json"
    try:
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.getheader("Idempotent-Replayed") == "true"
    except (OSError, http.client.HTTPException) as e:
        return 0, str(e), False
    finally:
        connection.close()


class Writer(threading.Thread):
    """Creates people, each with a key, and repeats each until it is done. The outcome is unknown when the database was
    away for longer than kith looks for it, and the same key brings it to light."""

    def __init__(self, i, port, key):
        super().__init__(daemon=True)
        self.i, self.port, self.key = i, port, key
        self.n, self.acknowledged, self.refused, self.unknown, self.wrong = 0, [], 0, 0, []
        self.stop = False
        self.last = time.monotonic()
        self.first_after = self.mark = None  # the first acknowledgement after this time
        self.gap = 0

    def write(self, name):
        while not self.stop:
            status, text, _ = request(self.port, self.key, "POST", "/v1/people", name, {"firstName": name})
            now = time.monotonic()
            if status == 200:
                self.acknowledged.append(name)
                self.gap, self.last = max(self.gap, now - self.last), now
                if self.mark and now > self.mark and not self.first_after:
                    self.first_after = now
                return
            unknown = status == 500 and "outcome of this operation is unknown" in text
            if status not in (409, 503) and not unknown:
                self.wrong.append("%s: %d %s" % (name, status, text))
                return
            self.refused += status == 503
            self.unknown += unknown
            time.sleep(REST_S)

    def run(self):
        while not self.stop:
            self.write("w%d-%d" % (self.i, self.n))
            self.n += 1
            time.sleep(REST_S)


# --- rounds ----------------------------------------------------------------------------------


def served(writers, promoted):
    """Seconds from the promotion until each writer was served."""
    for w in writers:
        w.first_after, w.mark = None, promoted
    until(lambda: all(w.first_after or w.wrong for w in writers), "service after the promotion", rest=0.01)
    if any(w.wrong for w in writers):
        raise Failure("; ".join(w.wrong[0] for w in writers if w.wrong))
    return max(w.first_after for w in writers) - promoted


def judge(what, writers, promoted):
    took = served(writers, promoted)
    print("        %s: served %.2f s after the promotion, no answer for %.1f s at most" % (
        what, took, max(w.gap for w in writers)), flush=True)
    return took


def in_time(took):
    if took > SERVICE_S:
        raise Failure("served only %.2f s after the promotion" % took)
    return took


def fail_over(what, nodes, writers, split):
    old = until(lambda: settled(nodes), "all follow one")
    others = [n for n in nodes if n is not old]
    for w in writers:
        w.gap = 0
    old.kill()
    try:
        until(lambda: leader(others), "a promotion", rest=0.02)
        took = judge(what, writers, time.monotonic())
        if split:
            split_brain(old, split)
    finally:
        old.start()
    until(lambda: settled(nodes), "the old primary follows")
    return in_time(took)


def switch_over(what, nodes, writers):
    old = until(lambda: settled(nodes), "all follow one")
    confirms = old.ask("select application_name from pg_stat_replication where sync_state = 'sync'")[0]
    new = next(n for n in nodes if n.name == confirms)
    for w in writers:
        w.gap = 0
    process = start("switchover", ["patronictl", "-c", old.file, "switchover", "--leader", old.name, "--candidate",
                                   new.name, "--force", "kith"])
    until(new.leads, "a promotion", rest=0.02)
    took = judge(what, writers, time.monotonic())
    process.wait(WAIT_S)
    until(lambda: settled(nodes), "all follow")
    return in_time(took)


def split_brain(old, start_and_write):
    """The old primary runs again, outside Patroni, while a process of kith starts."""
    subprocess.run([BIN + "/pg_ctl", "-D", old.data, "-w", "-l", WORK + "/split.log", "-o",
                    "-c port=%d -c listen_addresses=127.0.0.1 -c synchronous_standby_names=" % old.port, "start"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(old.leads, "the old primary", 60)
        start_and_write()
        if old.ask("select pg_is_in_recovery()") != (False,):
            raise Failure("the old primary did not stay up")
    finally:
        old.kill_postgres()


class Cases:
    def __init__(self):
        self.passed = self.failed = 0

    def run(self, what, fn, *args):
        try:
            result = fn(*args)
        except (Failure, subprocess.SubprocessError, psycopg2.Error) as e:
            self.failed += 1
            print("FAILED  %s: %s" % (what, e), flush=True)
            return None
        self.passed += 1
        print("ok      %s" % what, flush=True)
        return result


def count_rows(nodes, writers, more):
    """Nothing acknowledged is lost, nothing is done twice, and each has its event."""
    node = settled(nodes)
    rows = dict(run_sql(node, "select first_name, count(*) from people group by 1", "kith"))
    events = run_sql(node, "select count(*) from events where type = 'person.created'", "kith")[0][0]
    acknowledged = [name for w in writers for name in w.acknowledged] + more
    lost = [name for name in acknowledged if name not in rows]
    twice = [name for name, n in rows.items() if n > 1]
    print("        %d writes acknowledged, %d lost, %d twice; %d answers 503, %d of unknown outcome; timeline %d" % (
        len(acknowledged), len(lost), len(twice), sum(w.refused for w in writers), sum(w.unknown for w in writers),
        node.ask("select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int")[0]), flush=True)
    if lost or twice or events != sum(rows.values()):
        raise Failure("lost %s, twice %s, %d rows, %d events" % (lost[:5], twice[:5], sum(rows.values()), events))


def replay(writers, key):
    for w in writers:
        for name in w.acknowledged[-5:]:
            status, text, stored = request(w.port, key, "POST", "/v1/people", name, {"firstName": name})
            if status != 200 or not stored:
                raise Failure("%s again: %d %s" % (name, status, text))


def play(nodes, kith, servers, cases):
    made = kith.command("workspace", "create", "--name", "patroni")
    user = kith.command("user", "create", "--workspace", made["id"], "--email", "ada@example.org", "--name", "Ada",
                        "--role", "admin")
    key = kith.command("key", "create", "--user", user["id"], "--name", "test")["key"]
    for i in range(SERVERS):
        servers.append(kith.serve("kith%d" % i))
    writers = [Writer(i, servers[i % SERVERS][1], key) for i in range(WRITERS)]
    took, more = [], []

    def start_and_write():
        process, port = kith.serve("kith-split")
        name = "split-%d" % len(more)
        status, text, _ = request(port, key, "POST", "/v1/people", name, {"firstName": name})
        end(process)
        if status != 200:
            raise Failure("during the split brain: %d %s" % (status, text))
        more.append(name)

    for w in writers:
        w.start()
    until(lambda: all(len(w.acknowledged) > 20 for w in writers), "load")
    for i in range(FAILOVERS):
        if cases.failed > FAILED_MAX:
            break
        split = start_and_write if i % SPLIT_EVERY == 0 else None
        what = "failover %d%s" % (i + 1, ", then a start during a split brain" if split else "")
        took.append(cases.run(what, fail_over, what, nodes, writers, split))
    for i in range(SWITCHOVERS):
        if cases.failed > FAILED_MAX:
            break
        what = "switchover %d" % (i + 1)
        took.append(cases.run(what, switch_over, what, nodes, writers))
    for w in writers:
        w.stop = True
    for w in writers:
        w.join()
    cases.run("no acknowledged write lost, none twice", count_rows, nodes, writers, more)
    cases.run("stored answers", replay, writers, key)
    took = sorted(t for t in took if t is not None)
    if took:
        print("        served %.2f to %.2f s after a promotion, median %.2f" % (took[0], took[-1], took[len(took) // 2]))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    client, peer = free_port(), free_port()
    cases, nodes, servers = Cases(), [], []
    url = "http://127.0.0.1:%d"
    etcd = start("etcd", ["etcd", "--data-dir", WORK + "/etcd", "--listen-client-urls", url % client,
                          "--advertise-client-urls", url % client, "--listen-peer-urls", url % peer,
                          "--initial-advertise-peer-urls", url % peer, "--initial-cluster", "default=" + url % peer])
    try:
        nodes += [Node(i + 1, client) for i in range(NODES)]
        for node in nodes:
            node.start()
        node = until(lambda: settled(nodes), "three servers, one of them synchronous")
        run_sql(node, "create role kith login createrole password '%s'" % PASSWORD)
        run_sql(node, "create database kith owner kith")
        kith = Kith(nodes)
        kith.command("migrate")
        play(nodes, kith, servers, cases)
    except (Failure, OSError, subprocess.SubprocessError, psycopg2.Error) as e:
        cases.failed += 1
        print("FAILED  %s" % e, flush=True)
    finally:
        for process, _ in servers:
            end(process)
        for node in nodes:
            end(node.patroni)
            node.kill_postgres()
        end(etcd)
    print("%d passed, %d failed" % (cases.passed, cases.failed))
    sys.exit(1 if cases.failed or not cases.passed else 0)


main()
