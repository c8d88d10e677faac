"""A strict reader of the answers to random pipelines of requests, cut at random: each answer must be whole, have the
right length and say rightly whether the connection ends, and nothing may stand between or behind them.
    python3 test/http/strict.py PORT COUNT
The server under test tells what came (test/lib/http/edge.h).
"""
import random
import re
import socket
import sys

PORT, COUNT = int(sys.argv[1]), int(sys.argv[2])
random.seed(22)
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PATCH", "DELETE", "PUT"]
TARGETS = ["/a", "/nothing", "/no-body", "/big/9000", "/a/batch/b", "/x?y=z", "http://b/a", "http://b"]
CONNECTIONS = ["close", "keep-alive", "Keep-Alive, foo", "foo, close", "TE", "CLOSE", "keep-alive, close"]
TRAILERS = [b"", b"Connection: close\r\n", b"X: y\r\n"]


def ends(version, connection):
    tokens = [t.strip().lower() for t in connection.split(",")]
    return "close" in tokens or (version == "1.0" and "keep-alive" not in tokens)


def request():
    """method, bytes, whether the connection ends behind it, the body's length"""
    method, version = random.choice(METHODS), random.choice(["1.1"] * 6 + ["1.0"])
    target = random.choice(TARGETS + (["*"] if method == "OPTIONS" else []))
    connection = random.choice(CONNECTIONS) if random.random() < 0.15 else ""
    headers = ["Host: x"] + (["Connection: " + connection] if connection else [])
    body = sent = b""
    if method != "HEAD" and random.random() < 0.6:
        body = sent = random.choice([b"{}", b"x", b" " * 3000])
        if random.random() < 0.2:
            headers.append("Expect: 100-continue")
        if version == "1.1" and random.random() < 0.5:
            headers.append("Transfer-Encoding: chunked")
            sent = b"%x\r\n" % len(body) + body + b"\r\n0\r\n" + random.choice(TRAILERS) + b"\r\n"
        else:
            headers.append("Content-Length: %d" % len(body))
    elif random.random() < 0.2:
        headers.append("Content-Length: 0")
    random.shuffle(headers)
    head = "%s %s HTTP/%s\r\n%s\r\n\r\n" % (method, target, version, "\r\n".join(headers))
    return method, head.encode() + sent, ends(version, connection), len(body)


class Stream:
    def __init__(self, connection):
        self.connection, self.bytes = connection, b""

    def more(self):
        part = self.connection.recv(65536)
        self.bytes += part
        return bool(part)

    def line(self):
        while b"\r\n" not in self.bytes:
            if not self.more():
                raise ValueError("the stream ended")
        line, self.bytes = self.bytes.split(b"\r\n", 1)
        return line

    def take(self, n):
        while len(self.bytes) < n:
            if not self.more():
                raise ValueError("a body is cut off")
        out, self.bytes = self.bytes[:n], self.bytes[n:]
        return out

    def answer(self, method):
        """status, headers, body; what goes before it are 100s alone"""
        while True:
            line, headers = self.line(), {}
            if not re.match(rb"HTTP/1\.[01] \d{3} ", line):
                raise ValueError("not a status line: %r" % line)
            for field in iter(self.line, b""):
                name, value = field.split(b": ", 1)
                if name.lower() in headers:
                    raise ValueError("twice: %r" % name)
                headers[name.lower()] = value
            if line[9:12] != b"100":
                break
        status = int(line[9:12])
        if (b"content-length" in headers) == (status == 204):
            raise ValueError("Content-Length of %d: %r" % (status, headers))
        length = 0 if method == "HEAD" else int(headers.get(b"content-length", 0))
        return status, headers, self.take(length)


def run(sequence, data):
    connection = socket.create_connection(("127.0.0.1", PORT), timeout=20)
    while data:
        n = random.choice([1, 7, 100, 5000])
        connection.sendall(data[:n])
        data = data[n:]
    connection.shutdown(socket.SHUT_WR)
    stream = Stream(connection)
    for method, _, last, length in sequence:
        status, headers, body = stream.answer(method)
        if status not in (200, 204):
            raise ValueError("status %d" % status)
        if (headers.get(b"connection") == b"close") != last:
            raise ValueError("the connection ends: %r, told %r" % (last, headers))
        if b" body=" in body and b" body=%d:" % length not in body:
            raise ValueError("another's answer: %r" % body)
    while stream.more():
        pass
    if stream.bytes:
        raise ValueError("behind the last answer: %r" % stream.bytes)
    connection.close()


for _ in range(COUNT):
    requests = []
    while len(requests) < 7 and not (requests and (requests[-1][2] or random.random() < 0.15)):
        requests.append(request())
    try:
        run(requests, b"".join(r[1] for r in requests))
    except (ValueError, OSError) as e:
        sys.exit("%s, of %r" % (e, [r[1][:200] for r in requests]))
