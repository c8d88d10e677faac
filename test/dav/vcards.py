"""vCards as the judges see them: a reader of every version that owes nothing to kith, a comparison by meaning, and
random cards with the habits of many clients."""
import base64
import collections
import quopri
import random
import re

LISTS = {"CATEGORIES", "NICKNAME"}
STRUCTURES = {"N", "ADR", "ORG", "GENDER"}
# A server may write these anew. Custom fields of kith are shown, and never read.
OWN = re.compile(r"VERSION|REV|PRODID|X-KITH-.*|X-RADICALE-NAME")
# Apple's clients name a label beside the property, in the same group.
LABELS = {"X-ABLABEL": "label", "X-ABADR": "country"}
SAME = {"X-GENDER": "GENDER", "X-ANNIVERSARY": "ANNIVERSARY"}

Property = collections.namedtuple("Property", "group name parameters value")


# --- reading ----------------------------------------------------------------------------------

def unfolded(text):
    """The lines without folding; quoted-printable text goes on behind a final "="."""
    lines = []
    for line in re.split(r"\r\n|\n", text):
        if lines and lines[-1].endswith("=") and re.match(r"[^:]*QUOTED-PRINTABLE", lines[-1], re.I):
            lines[-1] = lines[-1][:-1] + line
        elif lines and line[:1] in (" ", "\t"):
            lines[-1] += line[1:]
        elif line:
            lines.append(line)
    return lines


def split(text, separator):
    """Splits where no backslash and no quotation mark protects the separator."""
    parts, quoted, at = [""], False, 0
    while at < len(text):
        c = text[at]
        if c == "\\" and at + 1 < len(text):
            parts[-1] += text[at:at + 2]
            at += 2
            continue
        quoted ^= c == '"' and separator != ","
        if c == separator and not quoted:
            parts.append("")
        else:
            parts[-1] += c
        at += 1
    return parts


def head_and_value(line):
    quoted = False
    for at, c in enumerate(line):
        quoted ^= c == '"'
        if c == ":" and not quoted:
            return line[:at], line[at + 1:]
    raise ValueError("a line without a colon: %r" % line[:80])


def head_parts(head):
    parts, quoted = [""], False
    for c in head:
        quoted ^= c == '"'
        if c == ";" and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def parse(text):
    """A card's properties in their order."""
    properties = []
    for line in unfolded(text):
        head, value = head_and_value(line)
        name, *given = head_parts(head)
        group, _, name = name.rpartition(".")
        parameters = []
        for parameter in given:
            key, equals, values = parameter.partition("=")
            # vCard 2.1 writes only the values of TYPE and ENCODING.
            if not equals:
                key, values = ("ENCODING" if key.upper() in ("QUOTED-PRINTABLE", "BASE64") else "TYPE"), key
            quoted = re.findall(r'"[^"]*"|[^,]+', values)
            parameters += [(key.upper(), one.strip('"')) for one in quoted]
        properties.append(Property(group.lower(), name.upper(), parameters, value))
    if [p.name for p in properties[:1] + properties[-1:]] != ["BEGIN", "END"]:
        raise ValueError("no whole card: %r" % text[:80])
    return properties[1:-1]


# --- meaning ----------------------------------------------------------------------------------

def unescaped(text):
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] in "nN" else m[1], text)


def binary(p, parameters):
    """The bytes of a picture or key, however they are written."""
    match = re.match(r"data:([^;,]*);base64\\?,(.*)", p.value, re.S)
    if match:
        return ("bytes", base64.b64decode(match[2]))
    if parameters.get("ENCODING", set()) & {"b", "base64"}:
        return ("bytes", base64.b64decode(p.value))
    return None


def meaning_of_value(p, parameters):
    value = p.value
    if "quoted-printable" in parameters.get("ENCODING", ()):
        value = quopri.decodestring(value.encode()).decode().replace("\r\n", "\n")
    if binary(p, parameters):
        return binary(p, parameters)
    if p.name in STRUCTURES:
        parts = [[unescaped(one) for one in split(part, ",")] for part in split(value, ";")]
        while parts and parts[-1] == [""]:
            parts.pop()
        return tuple(map(tuple, parts))
    if p.name in LISTS:
        return tuple(sorted(unescaped(one) for one in split(value, ",")))
    value = unescaped(value)
    if p.name == "TEL":
        value = re.sub("^tel:", "", value)
    if p.name == "BDAY" and re.match(r"\d{4}-?\d\d-?\d\d$", value):
        value = value.replace("-", "")
    return value


def meaning(text):
    """What a card says, as a Counter: equal for two cards that differ only in how they are written."""
    properties, labels, said = parse(text), collections.defaultdict(set), collections.Counter()
    for p in properties:
        if p.group and p.name in LABELS:
            labels[p.group].add((LABELS[p.name], unescaped(p.value)))
    for p in properties:
        if OWN.fullmatch(p.name) or (p.group and p.name in LABELS):
            continue
        parameters = collections.defaultdict(set)
        for key, value in p.parameters:
            parameters[key].add(value.lower() if key in ("TYPE", "ENCODING", "VALUE") else value)
        value = meaning_of_value(p, parameters)
        if parameters.pop("PREF", None):
            parameters["TYPE"].add("pref")
        kept = {(key, one) for key, values in parameters.items() for one in values
                if key not in ("ENCODING", "CHARSET", "VALUE") and not (key == "TYPE" and value[:1] == ("bytes",))}
        said[SAME.get(p.name, p.name), frozenset(kept), frozenset(labels[p.group] if p.group else ()), value] += 1
    return said


def shown(said):
    def short(value):
        text = repr(value)
        return text if len(text) < 160 else "%s... (%d)" % (text[:100], len(text))
    return ["%s %s %s %s" % (name, sorted(kept), sorted(labels), short(value))
            for name, kept, labels, value in said.elements()]


def difference(before, after, ignore=()):
    """What of the first card the second one lacks, and what it has more, as lines; empty if they say the same."""
    old, new = ({key: n for key, n in meaning(card).items() if key[0] not in ignore} for card in (before, after))
    lost, more = collections.Counter(old) - collections.Counter(new), collections.Counter(new) - collections.Counter(old)
    return ["- " + line for line in shown(lost)] + ["+ " + line for line in shown(more)]


def first(text, name):
    """The value of a card's first property of this name, as a text."""
    return next((unescaped(p.value) for p in parse(text) if p.name == name), None)


def edited(text, name, value):
    """The card with another value of its first property of this name; nothing else changes, not even the folding."""
    escaped = value.replace("\\", "\\\\").replace("\n", "\\n").replace(",", "\\,").replace(";", "\\;")
    lines = []
    for line in re.split(r"(?<=\n)", text):
        soft = lines and lines[-1].rstrip("\r\n").endswith("=") and re.match(r"[^:]*QUOTED-PRINTABLE", lines[-1], re.I)
        if soft or lines and line[:1] in (" ", "\t"):
            lines[-1] += line
        elif line:
            lines.append(line)
    for at, line in enumerate(lines):
        if re.match(r"(?:[\w-]+\.)?%s[;:]" % name, line, re.I):
            lines[at] = "%s:%s\r\n" % (name, escaped)
            return "".join(lines)
    end = next(at for at, line in enumerate(lines) if line.upper().startswith("END:"))
    return "".join(lines[:end] + ["%s:%s\r\n" % (name, escaped)] + lines[end:])


# --- random cards -------------------------------------------------------------------------------

GIVEN = ["Ann", "Zoë", "李", "Ольга", "محمد", "Jean-Luc", "O'Neil", "🦊", "Ines 🇪🇸", "Ḥaïm", "A\\B", "José; jr", "Li, Bo"]
FAMILY = ["Lee", "Müller", "王", "Иванова", "علي", "de la Cruz", "Ó Briain", "Straße", "x" * 90, "Smith, Sons; Co", "👩‍👩‍👧"]
WORDS = ["tea", "Köln", "12:30", "a,b", "c;d", "back\\slash", '"quoted"', "tab\there", "line\nbreak", "émigré", "日本語",
         "=3D", "%20", "&amp;<x>", "🎉🎊", "long" * 30, "  two blanks", "\n\n", "BEGIN:VCARD", "it's"]
TYPES = ["home", "work", "cell", "other", "HOME", "Work"]
LABELLED = ["_$!<HomePage>!$_", "Ferienhaus", "_$!<Other>!$_", "boat, blue", "日本"]


def escape(text, structured=True):
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace(",", "\\,")
    return text.replace(";", "\\;") if structured else text


class RandomCard:
    """One card. Its values of what kith has fields for are valid there."""

    def __init__(self, rng, number, versions):
        self.rng, self.number, self.lines, self.groups = rng, number, [], 0
        self.version = rng.choice(versions)

    def words(self, most=6):
        return " ".join(self.rng.choice(WORDS) for _ in range(self.rng.randint(1, most)))

    def maybe(self, chance):
        return self.rng.random() < chance

    def add(self, name, value, *parameters, group=""):
        head = ";".join(["%s.%s" % (group, name) if group else name, *filter(None, parameters)])
        self.lines.append("%s:%s" % (head, value))

    def text(self, name, value, *parameters, structured=True):
        """A text, in 2.1 as quoted-printable if it needs that."""
        if self.version == "2.1" and re.search(r"[^ -~]|=$", value):
            raw = "".join(chr(b) if 32 < b < 127 and b != 61 else "=%02X" % b for b in value.replace("\n", "\r\n").encode())
            self.add(name, raw, "ENCODING=QUOTED-PRINTABLE", "CHARSET=UTF-8", *parameters)
        else:
            self.add(name, escape(value, structured), *parameters)

    def type(self, *more):
        """The parameter TYPE in one of its spellings, or nothing."""
        types = self.rng.sample(TYPES[:4], self.rng.randint(0, 2)) + list(more)
        if self.maybe(0.2):
            types = [t.upper() for t in types]
        if not types:
            return ""
        if self.version == "2.1":
            return ";".join(t.upper() for t in types)
        if self.version == "4.0" and self.maybe(0.3):
            return 'TYPE="%s"' % ",".join(types)
        return "TYPE=" + ",".join(types) if self.maybe(0.6) else ";".join("TYPE=" + t for t in types)

    def preferred(self):
        if not self.maybe(0.2):
            return ""
        return {"2.1": "PREF", "3.0": "TYPE=pref", "4.0": "PREF=1"}[self.version]

    def group(self, label=True):
        """A group with Apple's label for the next property."""
        if self.version == "2.1" or not self.maybe(0.25):
            return ""
        self.groups += 1
        return "item%d" % self.groups

    def label(self, group):
        if group:
            self.add("X-ABLabel", escape(self.rng.choice(LABELLED)), group=group)

    def named(self):
        given, family = self.rng.choice(GIVEN), self.rng.choice(FAMILY)
        parts = [family, given] + [self.rng.choice(["", "", "M.", "von"]) for _ in range(3)]
        if self.version == "2.1":
            parts = [re.sub(r"[^ -~]|[;,\\]", "", part) for part in parts]
            parts[1] = parts[1] or "Ann"
        self.add("N", ";".join(escape(part) for part in parts))
        self.text("FN", "%s %s" % (given, family) if self.maybe(0.8) else self.rng.choice(GIVEN) + " of the cards")

    def reachable(self):
        n = self.number
        for i in range(self.rng.choice([0, 1, 1, 2, 5])):
            group = self.group()
            self.add("EMAIL", "m%d.%d@%s" % (n, i, self.rng.choice(["example.com", "Sub.Example.ORG", "xn--bcher-kva.example"])),
                     self.type(*self.rng.sample(["internet"], self.rng.randint(0, 1))), self.preferred(), group=group)
            self.label(group)
        for i in range(self.rng.choice([0, 1, 1, 3, 6])):
            group, number = self.group(), self.rng.choice(["+49 30 %07d", "(030) %07d", "0%09d", "+1-555-%07d", "%06d ext. 9"])
            number %= n * 10 + i
            if self.version == "4.0" and self.maybe(0.4):
                self.add("TEL", "tel:" + re.sub("[^+0-9]", "", number), "VALUE=uri", self.type("voice"), self.preferred(), group=group)
            else:
                self.add("TEL", number, self.type(self.rng.choice(["voice", "fax", "cell"])), self.preferred(), group=group)
            self.label(group)
        for i in range(self.rng.choice([0, 0, 1, 2])):
            group = self.group()
            self.add("URL", "https://example.com/%d/%d?a=b%s" % (n, i, self.rng.choice(["", "&c=d", "#e", "\\,f"])), self.type(), group=group)
            self.label(group)
        for i in range(self.rng.choice([0, 0, 1, 3])):
            group = self.group()
            parts = [self.rng.choice(["", "Box %d" % n]), "", "%d %s" % (i + 1, self.rng.choice(["Main Street", "Hauptstraße", "東京"])),
                     self.rng.choice(["Köln", "Paris, Texas", ""]), "", str(10000 + n), self.rng.choice(["", "Germany"])]
            if self.version == "2.1":
                parts = [re.sub("[^ -~]|,", "", part) for part in parts]
            self.add("ADR", ";".join(escape(part) for part in parts), self.type(), group=group)
            self.label(group)
            if group and self.maybe(0.5):
                self.add("X-ABADR", "de", group=group)

    def described(self):
        if self.maybe(0.4):
            self.text("ORG", self.rng.choice(["Acme", "Café Noir", "日本電気"]) + " %d" % (self.number % 7))
        if self.maybe(0.3):
            self.text("TITLE", self.words(2))
        if self.maybe(0.5):
            self.text("NOTE", self.words(20), structured=self.maybe(0.5))
        if self.maybe(0.4):
            date = "19%02d%s%02d%s%02d" % ((self.number % 100,) + tuple(x for i in (12, 28) for x in ("-", 1 + self.number % i)))
            if self.version == "4.0" and self.maybe(0.3):
                date = "--%s" % date.replace("-", "")[4:]
            elif self.maybe(0.4):
                date = date.replace("-", "")
            self.add("BDAY", date, "VALUE=date" if self.version == "3.0" and self.maybe(0.3) else "")
        if self.version == "4.0" and self.maybe(0.3):
            self.add("GENDER", self.rng.choice(["M", "F", "O"]))

    def kept(self):
        """What kith has no field for, and keeps."""
        chance = self.rng.choice([0.05, 0.3, 0.8])
        add = lambda name, value, *more: self.maybe(chance) and self.add(name, value, *more)
        add("NICKNAME", "Nick,%d" % self.number)
        add("ROLE", escape(self.words(2)) if self.version != "2.1" else "Chief")
        add("X-PHONETIC-FIRST-NAME", "An" if self.version == "2.1" else "アン")
        add("X-EVOLUTION-FILE-AS", "Lee\\, Ann")
        add("X-AIM", "ann%d" % self.number, self.type())
        add("X-SOCIALPROFILE", "https://social.example/ann", "type=twitter")
        add("X-Empty", "")
        add("GEO", "geo:50.9,6.9" if self.version == "4.0" else "50.9;6.9")
        add("TZ", "-0500")
        add("MAILER", "x")
        if self.version != "2.1":
            add("IMPP", "xmpp:ann%d@example.com" % self.number, "X-SERVICE-TYPE=Jabber")
            add("X-CUSTOM", "a:b;c,d", 'X-LABEL="a;b:c,d"')
            add("X-LONG", "y" * 5000)
            if self.maybe(chance):
                self.groups += 1
                self.add("X-ABDATE", "2001-02-03", "type=pref", group="item%d" % self.groups)
                self.add("X-ABLabel", "_$!<Anniversary>!$_", group="item%d" % self.groups)
            if self.maybe(chance):
                self.groups += 1
                self.add("X-ABRELATEDNAMES", escape("Bo, the\nbrother"), group="item%d" % self.groups)
                self.add("X-ABLabel", "_$!<Brother>!$_", group="item%d" % self.groups)
        if self.version == "4.0":
            add("ANNIVERSARY", "20090808T1430-0500")
            add("LANG", "fr", "PREF=2")
            add("RELATED", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "TYPE=friend")
            add("HOBBY", "reading", "INDEX=1", "LEVEL=high")
        if self.maybe(0.15):
            size = 375000 if self.number % 200 == 0 else self.rng.choice([10, 100, 3000])
            data = base64.b64encode(self.rng.randbytes(size)).decode()
            if self.version == "4.0":
                self.add("PHOTO", "data:image/jpeg;base64," + data)
            else:
                self.add("PHOTO", data, "ENCODING=" + ("BASE64" if self.version == "2.1" else "b"), "TYPE=JPEG")

    def fold(self, line):
        if "QUOTED-PRINTABLE" in line.split(":")[0]:
            head, value = line.split(":", 1)
            pieces = re.findall(r"(?:=..|[^=]){1,60}", value) or [""]
            return head + ":" + "=\r\n".join(pieces)
        width = self.rng.choice([10000000, 75, 75, 75, 60])
        return "\r\n ".join(line[at:at + width] for at in range(0, max(len(line), 1), width))

    def write(self):
        uid = "c%d-%08x" % (self.number, self.rng.getrandbits(32))
        self.uid = self.rng.choice([uid, "urn:uuid:%s-0000-4000-8000-000000000000" % uid[-8:], uid.upper() + "@Phone", "%s:ABPerson" % uid])
        for part in self.rng.sample([self.reachable, self.described, self.kept], 3):
            part()
        self.rng.shuffle(self.groups and [] or self.lines)
        body, self.lines = self.lines, []
        self.named()
        lines = ["BEGIN:VCARD", "VERSION:" + self.version, *self.rng.sample(self.lines, 2), "UID:" + self.uid, *body, "END:VCARD"]
        return "\r\n".join(map(self.fold, lines)) + "\r\n"


def random_cards(seed, count, versions=("3.0", "3.0", "3.0", "4.0", "4.0", "2.1")):
    """{UID: card}. Nothing in them is doubled, so whatever is doubled later was doubled by a server or client."""
    rng, cards = random.Random(seed), {}
    while len(cards) < count:
        card = RandomCard(rng, len(cards) + 1, versions)
        text = card.write()
        if max(meaning(text).values()) == 1:
            cards[card.uid] = text
    return cards


if __name__ == "__main__":
    made = random_cards(7, 1000)
    for card in made.values():
        assert not difference(card, card)
        assert difference(card, edited(card, "FN", "Another Name"))
    print("%d cards, %d bytes" % (len(made), sum(len(card.encode()) for card in made.values())))
