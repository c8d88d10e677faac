"""curl and Python's http.client over one connection that is kept: bodies chunked, of a known length, and none, in
random order. The server under test tells what came (test/lib/http/edge.h); every answer must be the one of its request.
    python3 test/http/keepalive.py PORT COUNT
"""
import http.client
import random
import subprocess
import sys

PORT, COUNT = int(sys.argv[1]), int(sys.argv[2])
METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD"]
LENGTHS = [0, 1, 17, 3000, 70000]
random.seed(21)


def requests():
    for at in range(COUNT):
        method = random.choice(METHODS)
        body = None if method == "HEAD" or random.random() < 0.3 else "x" * random.choice(LENGTHS)
        yield at, method, body, random.random() < 0.5


def expect(client, at, method, body, text):
    told = "%s /%s/%d host=" % (method, client, at)
    if not text.startswith(told) or " body=%d:" % len(body or "") not in text:
        sys.exit("%s %d: %s was answered with %r" % (client, at, method, text))


def http_client():
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
    connection.connect()
    connection.auto_open = 0  # no second connection
    for at, method, body, chunked in requests():
        data = body if body is None else iter([body.encode()]) if chunked else body.encode()
        connection.request(method, "/python/%d" % at, data)
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200 or (method == "HEAD" and text):
            sys.exit("python %d: %s %d %r" % (at, method, answer.status, text))
        if method != "HEAD":
            expect("python", at, method, body, text)
    connection.close()


def curl():
    asked, blocks = list(requests()), []
    for at, method, body, chunked in asked:
        lines = ['url = "http://127.0.0.1:%d/curl/%d"' % (PORT, at), 'write-out = "\\n%{http_code} %{num_connects}\\n"']
        if method == "HEAD":
            lines += ["head", 'output = "/dev/null"']
        else:
            lines.append('request = "%s"' % method)
        if body is not None:
            lines.append('data = "%s"' % body)
            lines.append('header = "Transfer-Encoding: chunked"' if chunked else 'header = "X-Plain: 1"')
            # curl 7.88 never ends an empty chunked body after "Expect: 100-continue".
            if random.random() < 0.3 and (body or not chunked):
                lines.append('header = "Expect: 100-continue"')
        blocks.append("\n".join(lines))
    run = subprocess.run(["curl", "-q", "-sS", "--max-time", "60", "--expect100-timeout", "20", "-K", "-"],
                         input="\nnext\n".join(blocks), capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit("curl: %d %s" % (run.returncode, run.stderr))
    lines, connects = run.stdout.split("\n"), 0
    for (at, method, body, _), text, numbers in zip(asked, lines[0::2], lines[1::2]):
        status, new = numbers.split()
        connects += int(new)
        if status != "200":
            sys.exit("curl %d: %s %s" % (at, method, status))
        if method != "HEAD":
            expect("curl", at, method, body, text)
    if len(lines) != 2 * COUNT + 1 or connects != 1:
        sys.exit("curl: %d lines, %d connections" % (len(lines), connects))


http_client()
curl()
