# SPDX-License-Identifier: Apache-2.0
"""--diagnostics: machine-readable formats are well-formed whatever names and contents a module has, and agree with the
text.

    diagnostics.py --bind B [--only WORD]
"""
import json
import os
import re
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import running  # noqa: E402
from running import spirv_as  # noqa: E402
from sarif import read as sarif  # noqa: E402
from module_text import Module  # noqa: E402

INVALID = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "spirv-fixtures", "invalid")
FORMS = ("text", "json", "sarif", "github")
HOSTILE = b'a"\\\x1b[31m\r\n::error::fake\xff\xc3\xed\xa0\x80,:%0A{0} \xe2\x80\xa8'  # of OpName, OpString and files


def bind(form, *args, expect=0, **more):
    """Bytes: invalid text must not be hidden."""
    return running.bind_bytes(*args, "--diagnostics=" + form, expect=expect, **more)


def module(declarations, path="m.spv"):
    Module(declarations).write(path)
    return path


def refused(path="call.spv", file=b"shader.glsl", place=b"9 7", function=b"main", name=b"call"):
    """A handle that goes where no descriptor can, in a line of the source, which is there."""
    running.write(file, b"")
    with open(os.path.join(INVALID, "handle-flow.spvasm"), "rb") as f:
        text = f.read()

    def quoted(s):
        return b'"' + s.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    names = b"%%file = OpString %s\nOpName %%main %s\nOpName %%n %s\n" % tuple(map(quoted, (file, function, name)))
    text = re.sub(rb"( +OpMemberDecorate)", lambda m: names + m[1], text, count=1)
    if place:
        text = re.sub(rb"( +%n = OpBitcast)", lambda m: b"OpLine %%file %s\n" % place + m[1], text)
    return spirv_as(text, path)


def lines(data):
    """JSON Lines: objects without surprises."""
    assert not data or data.endswith(b"\n"), data
    objects = [json.loads(line.decode("ascii")) for line in data.split(b"\n")[:-1]]
    assert len(data.decode("ascii").splitlines()) == len(objects), data
    for o in objects:
        assert o["severity"] in ("error", "warning", "note") and o["text"], o
        assert set(o) <= {"severity", "code", "module", "file", "line", "column", "endColumn", "wordOffset", "op",
                          "id", "name", "function", "pass", "text", "rule", "fingerprint", "finding", "source", "notes",
                          "remedy"}, o
        assert re.fullmatch(r"SPB\d{4}", o.get("code", "SPB1001")), o
        for note in o.pop("notes", []):
            assert note["text"] and set(note) <= {"text", "module", "file", "line", "column", "wordOffset", "id",
                                                  "name", "source"}, note
        numbers = ("line", "column", "endColumn", "wordOffset", "id")
        assert all(isinstance(v, int) and v > 0 if k in numbers else isinstance(v, str) and v
                   for k, v in o.items()), o
    return objects


def commands(data):
    """Workflow commands, as the runner reads them: (name, properties, text)."""
    found = []
    for line in re.split(rb"\r\n|\r|\n", data)[:-1]:
        name, properties, text = re.fullmatch(rb"::(\w+)(?: ([^:]*))?::(.*)", line).groups()

        def back(value):
            for old, new in ((b"%0D", b"\r"), (b"%0A", b"\n"), (b"%3A", b":"), (b"%2C", b","), (b"%25", b"%")):
                value = value.replace(old, new)
            return value
        pairs = [p.split(b"=", 1) for p in (properties or b"").split(b",") if p]
        found.append((name.decode(), {k.decode(): back(v) for k, v in pairs}, back(text)))
    return found


# the contents of each format

def test_text_is_the_default():
    m = refused()
    plain = running.bind_bytes("layout", m, expect=None)
    assert plain.returncode == 1 and plain.stderr == bind("text", "layout", m, expect=1).stderr
    assert plain.stderr.startswith(b"shader.glsl:9:7: error: ")
    assert running.says(plain.stderr, "error SPB3004"), plain.stderr


def test_json_has_every_known_member():
    message, = lines(bind("json", "layout", refused(), expect=1).stderr)
    assert isinstance(message.pop("id"), int) and message.pop("wordOffset") > 5 and message.pop("text")
    assert message.pop("remedy")
    assert message == {"severity": "error", "code": "SPB3004", "module": "call.spv", "file": "shader.glsl", "line": 9,
                       "column": 7, "op": "OpBitcast", "name": "call", "function": "main", "pass": message["pass"]}
    message, = lines(bind("json", "layout", refused(place=b"", name=b"", function=b""), expect=1).stderr)
    assert not {"file", "line", "column", "name", "function"} & set(message)


def test_json_has_a_line_for_each_message():
    m = module("a:b@1 x:ssbo@1")
    messages = lines(bind("json", "layout", m, expect=1).stderr)
    assert [(o["severity"], o["code"]) for o in messages] == [("error", "SPB4001")]
    text = bind("text", "layout", m, expect=1).stderr.decode()
    assert all(o["text"] in text and "word %d" % o["wordOffset"] in text and o["remedy"] in text for o in messages)


def test_a_source_that_is_not_there_is_named_beside_the_module():
    m = refused()
    os.remove("shader.glsl")
    text = bind("text", "layout", m, expect=1).stderr.decode()
    assert text.startswith("call.spv:1:1: error: ") and "compiled from shader.glsl:9\n" in text, text
    message, = lines(bind("json", "layout", m, expect=1).stderr)
    assert message["source"] == "shader.glsl:9:7" and "file" not in message and "line" not in message, message
    (result,), _ = sarif(bind("sarif", "layout", m, expect=1).stderr)
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == m and "byteOffset" in physical["region"]
    (_, properties, _), = commands(bind("github", "layout", m, expect=1).stderr)
    assert properties == {"file": m.encode(), "title": b"SPB3004"}


def test_sarif_points_into_the_source():
    (result,), invocation = sarif(bind("sarif", "layout", refused(), expect=1).stderr)
    assert (result["ruleId"], result["level"]) == ("SPB3004", "error")
    assert result["locations"] == [{
        "physicalLocation": {"artifactLocation": {"uri": "shader.glsl", "uriBaseId": "%SRCROOT%"},
                             "region": {"startLine": 9, "startColumn": 7}},
        "logicalLocations": [{"name": "main", "fullyQualifiedName": "main", "kind": "function"}]}]
    assert result["properties"]["module"] == "call.spv" and result["properties"]["op"] == "OpBitcast"
    assert invocation == {"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": []}
    (result,), _ = sarif(bind("sarif", "layout", refused(place=b"9 0"), expect=1).stderr)
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 9}


def test_sarif_points_into_the_module_where_there_is_no_source():
    m = refused(place=b"")
    (result,), _ = sarif(bind("sarif", "layout", m, expect=1).stderr)
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == m
    assert physical["region"] == {"byteOffset": 4 * result["properties"]["wordOffset"]}
    with open(m, "rb") as f:
        f.seek(physical["region"]["byteOffset"])
        assert f.read(2) == b"\x7c\0"  # OpBitcast


def test_sarif_paths_are_relative_inside_the_folder_and_file_urls_outside():
    def place():
        (result,), _ = sarif(bind("sarif", "layout", path, expect=1).stderr)
        return result["locations"][0]["physicalLocation"]["artifactLocation"]

    path = os.path.abspath(refused(place=b""))
    assert place() == {"uri": "call.spv", "uriBaseId": "%SRCROOT%"}
    os.mkdir("deeper")
    os.chdir("deeper")
    try:
        assert place() == {"uri": "file://" + urllib.parse.quote(path)}
    finally:
        os.chdir("..")


def test_messages_go_to_a_file_in_the_format_and_to_the_terminal_as_text():
    m = refused()
    text = bind("text", "layout", m, expect=1).stderr
    for form, read in (("json", lines), ("sarif", lambda data: sarif(data)[0]), ("github", commands)):
        expected = bind(form, "layout", m, expect=1).stderr
        done = bind(form + ":log", "layout", m, expect=1)
        with open("log", "rb") as f:
            data = f.read()
        assert done.stderr == text and not done.stdout and data == expected and len(read(data)) == 1, form
    for path, expect in (("none/log", 4), ("/dev/full", 4), ("call.spv", 2), ("", 2)):
        done = bind("sarif:" + path, "layout", m, expect=expect)
        assert b"spirv-bind: " in done.stderr, done.stderr
    assert bind("text", "layout", m, expect=1).stderr == text


def test_github_annotates_the_source_or_else_the_module():
    (name, properties, text), = commands(bind("github", "layout", refused(), expect=1).stderr)
    assert (name, properties) == ("error", {"file": b"shader.glsl", "line": b"9", "col": b"7", "title": b"SPB3004"})
    message, = lines(bind("json", "layout", "call.spv", expect=1).stderr)
    assert text.decode() == message["text"] + "\n" + message["remedy"]
    (_, properties, _), = commands(bind("github", "layout", refused(place=b""), expect=1).stderr)
    assert properties == {"file": b"call.spv", "title": b"SPB3004"}
    found = commands(bind("github", "layout", module("a:b@1 x:ssbo@1"), expect=1).stderr)
    assert [name for name, _, _ in found] == ["error"]
    assert [name for name, _, _ in commands(bind("github", "layout", "--allow-overlap", "m.spv").stderr)] == ["warning"]


def test_a_line_of_a_policy_is_a_place():
    with open("p.policy", "w") as f:
        f.write("# nothing\nplace\n")
    args = ("layout", module("a:b"), "--profile=p.policy")
    message, = lines(bind("json", *args, expect=2).stderr)
    assert (message["module"], message["line"]) == ("p.policy", 2)
    (result,), _ = sarif(bind("sarif", *args, expect=2).stderr)
    assert result["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "p.policy",
                                                                               "uriBaseId": "%SRCROOT%"},
                                                          "region": {"startLine": 2}}
    (_, properties, _), = commands(bind("github", *args, expect=2).stderr)
    assert (properties["file"], properties["line"]) == (b"p.policy", b"2")


# names

def test_hostile_names_break_no_line():
    path = HOSTILE.replace(b"/", b"") + b".spv"
    m = refused(path, HOSTILE, b"9 7", HOSTILE, HOSTILE)
    assert os.path.exists(m)
    message, = lines(bind("json", "layout", m, expect=1).stderr)
    assert message["module"].startswith('a"\\\x1b[31m\r\n::error::fake????') and "\u2028" in message["module"]
    assert message["source"].endswith(":9:7")  # under this name, the source is not there
    assert "\x1b" not in message["name"] + message["function"] + message["source"]
    (result,), _ = sarif(bind("sarif", "layout", m, expect=1).stderr)
    assert "byteOffset" in result["locations"][0]["physicalLocation"]["region"]
    (name, properties, _), = commands(bind("github", "layout", m, expect=1).stderr)
    assert name == "error" and "line" not in properties and b"fake" in properties["file"]


def shown(name):
    """The form in text and workflow commands: no control characters, no line separators, only UTF-8."""
    text = name.decode(errors="surrogateescape")
    def unfit(c):
        return (c < " " and c not in "\r\n") or c == "\u2028" or "\udc80" <= c <= "\udcff"

    return "".join("?" if unfit(c) else c for c in text).encode()


def test_the_first_and_last_characters_of_each_length_in_utf8_are_kept():
    for code in (0x7E, 0xA1, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF):
        path = "a%cb.spv" % code
        running.write(path, b"no module")
        text = bind("text", "layout", path, expect=1).stderr
        assert path.encode() in text, (hex(code), text)


def test_names_cannot_change_the_text_direction_of_a_terminal():
    """The first and last of each range shown as ?, and their neighbours, which are not."""
    for harmful, c in [(True, c) for c in (0x061C, 0x200E, 0x200F, 0x2028, 0x202E, 0x2066, 0x2069, 0xFEFF, 0x7F, 0x9F)
                       ] + [(False, c) for c in (0x061D, 0x200D, 0x2010, 0x2027, 0x202F, 0x2065, 0x206A, 0xA0)]:
        path = "a%cb.spv" % c
        with open(path, "wb") as f:
            f.write(b"no module")
        text = bind("text", "layout", path, expect=1).stderr.decode()
        assert ("a?b.spv" if harmful else path) in text, (hex(c), text)


def test_a_hostile_file_name_is_kept_where_it_can_be():
    path = HOSTILE + b".spv"
    with open(path, "wb") as f:
        f.write(b"no module {0}")
    message, = lines(bind("json", "layout", path, expect=1).stderr)
    assert message["code"] == "SPB1001" and message["module"].endswith("{0} \u2028.spv")
    (result,), _ = sarif(bind("sarif", "layout", path, expect=1).stderr)
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert urllib.parse.unquote_to_bytes(uri) == path
    (_, properties, _), = commands(bind("github", "layout", path, expect=1).stderr)
    assert properties["file"] == shown(path)
    message, = lines(bind("json", "layout", path + b"/none", expect=4).stderr)
    assert "::error::fake" in message["text"] and "module" not in message
    (name, properties, text), = commands(bind("github", "layout", path + b"/none", expect=4).stderr)
    assert (name, properties) == ("error", {}) and shown(HOSTILE) in text
    _, invocation = sarif(bind("sarif", "layout", path + b"/none", expect=4).stderr)
    notification, = invocation["toolExecutionNotifications"]
    assert "{{0}}" in notification["message"]["text"]


def test_utf8_is_kept():
    m = module("a:b@1 x:ssbo@1", "größe.spv")
    assert lines(bind("json", "layout", m, expect=1).stderr)[0]["module"] == "größe.spv"
    assert commands(bind("github", "layout", m, expect=1).stderr)[0][1]["file"] == "größe.spv".encode()


def test_multi_line_messages_are_one_message():
    with open("s.lock", "w") as f:
        f.write("lock version=1\n")
    args = ("lock", "check", module("a:b x:tex"), "--lock=s.lock", "-q")
    text = bind("text", *args, expect=3).stderr.decode()
    assert text.count("\n+ resource") == 2, text
    message, = lines(bind("json", *args, expect=3).stderr)
    assert (message["module"], message["pass"]) == ("s.lock", "locked") and message["text"].count("\n+ resource") == 2
    stderr = bind("github", *args, expect=3).stderr
    (_, properties, text), = commands(stderr)
    assert properties == {"file": b"s.lock"} and text.decode() == "%s\n%s" % (message["text"], message["remedy"])
    assert stderr.count(b"%0A+ resource") == 2
    (result,), _ = sarif(bind("sarif", *args, expect=3).stderr)
    assert result["ruleId"] == "locked" and result["message"]["text"].startswith(message["text"])


# when, and where

def test_without_messages_there_are_no_lines_and_an_empty_log():
    m = module("a:b@0,0")
    for form in ("text", "json", "github"):
        done = bind(form, m, "-o", "x.spv")
        assert not done.stdout and not done.stderr, done
    done = bind("sarif", m, "-o", "x.spv")
    results, invocation = sarif(done.stderr)
    assert not done.stdout and results == []
    assert invocation == {"executionSuccessful": True, "exitCode": 0, "toolExecutionNotifications": []}


def test_the_exit_status_is_that_of_text():
    module("a:b@0,0", "final.spv"), module("a:b", "open.spv"), module("a:b@1 x:ssbo@1", "overlap.spv"), refused()
    for status, args in ((0, ["check", "final.spv"]), (3, ["check", "open.spv"]), (1, ["layout", "overlap.spv"]),
                         (1, ["call.spv", "-o", "x"]), (4, ["missing.spv", "-o", "x"]),
                         (4, ["final.spv", "-o", "/dev/full"]),
                         (4, ["layout", "final.spv", "--lock=missing"]),
                         (4, ["check", "final.spv", "--against=no"]), (3, ["check", "overlap.spv"]),
                         (2, ["--nonsense"]), (2, [])):
        for form in FORMS:
            done = bind(form, *args, expect=status, stdin=b"")
            if form == "sarif" and status != 2:
                _, invocation = sarif(done.stderr)
                assert invocation["exitCode"] == status and invocation["executionSuccessful"] == (status != 4), args
            elif form == "json" and status != 2:
                assert not lines(done.stderr) == (status != 0), args


def test_results_of_options_are_messages():
    m = module("a:b")
    message, note = lines(bind("json", "check", m, expect=3).stderr)
    assert (message["module"], message["pass"], message["severity"]) == (m, "check", "error") and "code" not in message
    assert (note["severity"], note["text"]) == ("note", '"a" has no number and would get set 0, binding 0'), note
    (result, _), _ = sarif(bind("sarif", "check", m, expect=3).stderr)
    assert result["ruleId"] == "check"
    assert commands(bind("github", "check", m, expect=3).stderr)[0][:2] == ("error", {"file": b"m.spv"})
    assert bind("text", "check", m, expect=3).stderr == (
        b"m.spv:1:1: error: not in its final form\nm.spv:1:1: note: Run spirv-bind on it.\n"
        b'm.spv:1:1: note: "a" has no number and would get set 0, binding 0\n')


def test_wrong_usage_is_plain_text():
    for form in FORMS:
        for args in (["lint", "-o", "x"], ["--nonsense"], ["--heap-set=x"], ["layout", "--profile=none"]):
            stderr = bind(form, *args, expect=2).stderr
            assert re.fullmatch(rb"spirv-bind: error: .*\n(spirv-bind: note: .*\n)?", stderr), stderr
    assert b"text, json, sarif or github" in bind("xml", "layout", expect=2).stderr


def test_q_omits_everything_but_errors():
    module("a:b@1 x:ssbo@1"), module("a:b", "open.spv")
    for form, read in (("json", lines), ("sarif", lambda data: sarif(data)[0]), ("github", commands)):
        assert len(read(bind(form, "layout", "m.spv", "--allow-overlap").stderr)) == 1
        assert not read(bind(form, "layout", "m.spv", "--allow-overlap", "-q").stderr)
        assert len(read(bind(form, "layout", "m.spv", "-q", expect=1).stderr)) == 1
    module("a:b@0,0", "final.spv")
    assert lines(bind("json", "check", "final.spv", "-v", "--order=module").stderr) == [
        {"severity": "note", "text": "in its final form: final.spv"}]
    assert not bind("json", "check", "final.spv", "-v", "-q").stderr
    results, invocation = sarif(bind("sarif", "open.spv", "-o", "x", "-v", "--order=module").stderr)
    assert not results and invocation["toolExecutionNotifications"] == [
        {"level": "note", "message": {"text": text}} for text in ("wrote x", "x: 1 binding assigned")]


def test_the_module_may_go_to_stdout():
    done = bind("sarif", module("a:b"), "-o", "-", "--order=module")
    assert done.stdout[:4] == b"\x03\x02\x23\x07" and sarif(done.stderr)[0] == []


def test_every_refused_fixture_has_the_same_messages_in_each_format():
    for name in sorted(name for name in os.listdir(INVALID) if name.endswith(".spvasm")):
        path = os.path.join(INVALID, name)
        fields = fixtures.header(path)
        fixtures.assemble(path, fields["version"], "m.spv")
        args = [*fixtures.options_of(fields), "m.spv", "-o", "x"]
        messages = lines(bind("json", *args, expect=1).stderr)
        results, _ = sarif(bind("sarif", *args, expect=1).stderr)
        found = commands(bind("github", *args, expect=1).stderr)
        assert [(o["text"] + "\n" + o["remedy"]).replace("{", "{{").replace("}", "}}")
                for o in messages] == [r["message"]["text"] for r in results], name
        assert [o["code"] for o in messages] == [r["ruleId"] for r in results] == [p["title"].decode() for _, p,
                                                                                   _ in found], name


running.main(globals())
