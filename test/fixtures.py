# SPDX-License-Identifier: Apache-2.0
"""Golden fixtures and the properties that must hold for every module.

    fixtures.py golden --bind B [--update] [--only PATH…]    spirv-fixtures/<pass>/*.spvasm against *.expect.spvasm,
                                                             and the messages about them against *.expect.txt
    fixtures.py properties --bind B                          for every fixture and every GLSL program

A fixture begins with lines of the form `; key: value`:

    why          what it protects: what would break without it. Every fixture has one.
    spirv-bind   the options. --resolver=NAME is a file of spirv-fixtures/resolvers.
    version      the version of SPIR-V, from 1.0 to 1.6
    error        in invalid/: the code of the message
    compiler     Slang: the module says OpSource Slang, which the assembler does not know, and has Slang's header
    bound        with compiler: the bound of ids
    keep         why the fixture keeps types or constants that nothing uses: their ids, then the reason, or the reason
                 alone if all of them stay. scripts/trim_fixtures.py, a test, does not allow any others.
"""
import argparse
import collections
import difflib
import functools
import glob
import json
import os
import random
import re
import shlex
import struct
import tempfile
import zlib

import running
import spirv_text
from running import FIXTURES, ROOT, Failure, glslang, read, run_bytes as run, summary, write

ENV = {0: "vulkan1.0", 1: "vulkan1.1", 2: "vulkan1.1", 3: "vulkan1.1", 4: "vulkan1.1spv1.4", 5: "vulkan1.2",
       6: "vulkan1.3"}


def header(path):
    fields = {}
    for line in read(path).decode().splitlines():
        found = re.match(r"; ([\w-]+): ?(.*)", line)
        if not found:
            break
        fields[found[1]] = found[2]
    return fields


SLANG = 11  # SpvSourceLanguageSlang, which SPIRV-Tools 2023.1 cannot read or write


def is_slang(data):
    return SLANG in [data[at + 1] for at in instructions(data) if data[at] & 0xFFFF == 3]


def words_of(path):
    data = read(path)
    return list(struct.unpack("<%dI" % (len(data) // 4), data))


def instructions(words):
    at = 5
    while at < len(words):
        yield at
        at += words[at] >> 16


def with_language(words, old, new):
    words = words[:]
    for at in instructions(words):
        if words[at] & 0xFFFF == 3 and words[at + 1] == old:  # OpSource
            words[at + 1] = new
    return words


def bytes_of(words):
    return struct.pack("<%dI" % len(words), *words)


def readable(path):
    """The module, for tools that do not know Slang."""
    return bytes_of(with_language(words_of(path), SLANG, 0))


def options_of(fields):
    """--resolver=NAME is one of spirv-fixtures/resolvers."""
    return [re.sub(r"^--resolver=", "--resolver=" + os.path.join(FIXTURES, "resolvers", ""), o)
            for o in shlex.split(fields["spirv-bind"])]


def assemble(path, version, out):
    text = read(path).decode()
    stood_in = spirv_text.for_older_assembler(text)
    run("spirv-as", "--preserve-numeric-ids", "--target-env", "spv" + version, "-", "-o", out, stdin=stood_in.encode())
    if stood_in != text:
        write(out, spirv_text.with_newer(read(out)))
    fields = header(path)
    if fields.get("compiler", "").startswith("Slang"):
        words = with_language(words_of(out), 0, SLANG)
        words[2] = 40 << 16  # the generator's number in the registry
        words[3] = int(fields.get("bound", words[3]))
        write(out, bytes_of(words))


def disassemble(path):
    if spirv_text.needs_newer_tools(read(path)):
        return spirv_text.disassemble(read(path))
    return run("spirv-dis", "--raw-id", "--no-header", "-", stdin=readable(path)).stdout.decode()


def newer_tools():
    """The root with the tools of Debian sid (scripts/sid_root.sh makes it); None: there is none."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    runner = os.path.join(os.environ.get("SPB_SID_ROOT") or os.path.join(cache, "spirv-bind", "sid"), "run-here")
    return runner if os.access(runner, os.X_OK) else None


def newer(tool):
    """The words that start one of its tools with its own loader, as run-here does, but without a shell."""
    root = os.path.dirname(os.path.realpath(newer_tools()))
    loader = glob.glob(root + "/usr/lib/*/ld-linux*.so*")[0]
    return [loader, "--library-path", os.path.dirname(loader), os.path.join(root, "usr", "bin", tool)]


NOT_VALIDATED = set() # descriptor_heap_sid judges these fixtures


def validate(path):
    if spirv_text.needs_newer_tools(read(path)):
        if newer_tools():
            run(*newer("spirv-val"), "--target-env", ENV[version_of(path)], path)
        else:
            NOT_VALIDATED.add(read(path))
        return
    run("spirv-val", "--target-env", ENV[version_of(path)], "-", stdin=readable(path))


def version_of(path):
    return read(path)[5]  # little-endian: the minor version


def fixtures(folder=None):
    for base, _, names in sorted(os.walk(FIXTURES)):
        for name in sorted(names):
            if name.endswith(".spvasm") and not name.endswith(".expect.spvasm"):
                kind = os.path.relpath(base, FIXTURES)
                if kind not in ("resolvers", "messages") and (folder is None or kind == folder):
                    yield kind, os.path.join(base, name)


# golden

NEEDED = {"why", "spirv-bind", "version"}
KEYS = {"why", "spirv-bind", "version", "error", "compiler", "bound", "keep", "shows"}
ABOUT_LAYOUTS = ("assign-bindings", "descriptors", "sizes")  # in other folders, the header says `; shows: layout`


def chosen(args):
    """All fixtures, or those of --only, by file or folder; each name has to exist."""
    every, some = list(fixtures()), []
    for name in args.only:
        wanted = os.path.abspath(re.sub(r"\.expect\.(spvasm|txt)$", ".spvasm", name))
        found = [(kind, path) for kind, path in every if path == wanted or path.startswith(wanted + os.sep)]
        if not found:
            raise SystemExit("%s: neither a fixture nor a folder of fixtures" % name)
        some += found
    every = some if args.only else every
    return [(kind, path) for kind, path in every if not (args.without_tools and needs_tools(header(path))) and
            zlib.crc32(os.path.relpath(path, FIXTURES).encode()) % args.every == 0]


def needs_tools(fields):
    """Needs SPIRV-Tools: for resolvers in assembly, or for refusals of the validator."""
    return ".spvasm" in fields["spirv-bind"] or fields.get("error", "").startswith("SPB600")


def golden(args, tmp):
    for kind, path in chosen(args):
        yield os.path.relpath(path, FIXTURES), lambda k=kind, p=path: golden_case(args, tmp, k, p)
    yield "golden files without a fixture", no_golden_file_is_left_over


def no_golden_file_is_left_over():
    made = {path[:-len(".spvasm")] for _, path in fixtures()}
    found = [os.path.join(base, name) for base, _, names in os.walk(FIXTURES) for name in names if ".expect." in name]
    left = [os.path.relpath(path, ROOT) for path in found if path.rpartition(".expect.")[0] not in made]
    if left:
        raise Failure("of no fixture: %s" % ", ".join(sorted(left)))


def golden_case(args, tmp, kind, path):
    fields = header(path)
    if not fields.get("why") or not NEEDED <= set(fields) <= KEYS:
        raise Failure("its header needs %s and may have %s; it has %s" % (sorted(NEEDED), sorted(KEYS), sorted(fields)))
    stem = path[:-len(".spvasm")]
    name = os.path.basename(stem) + ".spv"
    assemble(path, fields["version"], os.path.join(tmp, name))
    if kind == "invalid":
        compare(args, stem + ".expect.txt", refused(args, tmp, fields, name))
        return
    shows = fields.get("shows")
    if shows not in (None, "layout", "messages") or (shows == "layout" and kind in ABOUT_LAYOUTS):
        raise Failure("`; shows:` may say layout (what all do in %s) or messages" % ", ".join(ABOUT_LAYOUTS))
    out, layout_file = os.path.join(tmp, "out.spv"), os.path.join(tmp, "layout.json")
    options = options_of(fields)
    writes = [] if options[:1] == ["pass"] else ["--accesses", "--layout-json=layout.json"]
    done = run(args.bind, *options, *writes, name, "-o", "out.spv", cwd=tmp)
    validate(out)
    text = disassemble(out)
    # whose literals no grammar file has
    if spirv_text.disassemble(readable(out)) != text and "OpenCL.DebugInfo.100" not in text:
        raise Failure(
            "test/spirv_text.py writes it otherwise than spirv-dis, so it cannot be believed where that is too old")
    compare(args, stem + ".expect.spvasm", text)
    if not writes:
        compare(args, stem + ".expect.txt", "== messages ==\n" + messages(done))
        return
    explained = run(args.bind, "explain", *running.for_verb(args.bind, "explain", options), name, cwd=tmp)
    about_layout = kind in ABOUT_LAYOUTS or shows == "layout"
    compare(args, stem + ".expect.txt",
            said(done, explained, shows == "messages", json.loads(read(layout_file)) if about_layout else None))


def compare(args, expected, text):
    """`text` with the golden file, which --update writes."""
    if args.update:
        if not os.path.exists(expected) or read(expected).decode() != text:
            write(expected, text.encode())
            print("written, read it before you commit it: %s" % os.path.relpath(expected, ROOT))
        return
    if not os.path.exists(expected):
        raise Failure("there is no %s: scripts/update_golden.py writes it" % os.path.relpath(expected, ROOT))
    wanted = read(expected).decode()
    if text != wanted:
        raise Failure("".join(difflib.unified_diff(wanted.splitlines(True), text.splitlines(True), "expected", "got")))


def refused(args, tmp, fields, name):
    """The messages that refuse a module of invalid/; nothing may be written."""
    out = os.path.join(tmp, "out.spv")
    write(out, b"kept")
    done = run(args.bind, *options_of(fields), name, "-o", "out.spv", expect=1, cwd=tmp)
    text = messages(done)
    if "[%s]" % fields["error"] not in text:
        raise Failure("expected %s, got:\n%s" % (fields["error"], text))
    if read(out) != b"kept":
        raise Failure("the output was touched")
    return text


def messages(done):
    """The messages on stderr, with resolvers by name only, and without those about features that the installed
    validator does not know (SPB6003)."""
    text = done.stderr.decode().replace(os.path.join(FIXTURES, "resolvers", ""), "")
    return "".join(message for message in re.split(r"(?m)^(?=.* \[SPB\d+\]$)", text)
                   if "[SPB6003]" not in message.partition("\n")[0])


def said(done, explained, whole, layout):
    """Messages, as locations and codes or complete; the output of explain; and the layout, if there is one, without
    facts about the installed validator, and without blocks, whose members spirv_cross_reads_the_same compares."""
    text = messages(done)
    if not whole:
        text = re.sub(r"(?m)(: (?:note|warning): ).* (\[SPB\d+\])$", r"\1\2", text)
        text = re.sub(r"(?m)^.*: note: (?!word \d|\[SPB).*\n", "", text)
    parts = [("messages", text), ("explain", explained.stdout.decode())]
    if layout:
        strip(layout)
        parts.append(("layout", packed(layout) + "\n"))
    return "\n".join("== %s ==\n%s" % part for part in parts)


def strip(layout):
    for module in layout["modules"]:
        del module["validated"], module["blocks"]
    for view in (view for s in layout["sets"] for b in s["bindings"] for view in [b, *b["views"]]):
        view["type"].pop("blockId", None)
    for binding in (b for s in layout["sets"] for b in s["bindings"]):
        for view in binding["views"]:
            if view["type"] == binding["type"]:
                view["type"] = "as above"


def packed(value, indent=0):
    """Compact JSON: without false and empty values and the name of the only module, with lines filled."""
    if isinstance(value, dict):
        items = [(json.dumps(key) + ": ", member) for key, member in value.items()
                 if member is not False and member not in ("", [], {}) and key != "module"]
        start, end = "{}"
    elif isinstance(value, list):
        items = [("", item) for item in value]
        start, end = "[]"
    else:
        return json.dumps(value, ensure_ascii=False)
    lines, line = [], ""
    for at, (key, item) in enumerate(items):
        text = key + packed(item, indent + 1) + ("," if at + 1 < len(items) else "")
        if line and ("\n" in text or indent + len(line) + len(text) > 110):
            lines, line = lines + [line], ""
        line = (line + " " + text).lstrip()
        if "\n" in text:
            lines, line = lines + [line], ""
    return start + ("\n" + " " * (indent + 1)).join(lines + [line] * bool(line)) + end


# properties

def programs():
    """Shaders of spirv-fixtures/glsl, as programs.txt says."""
    listing = os.path.join(FIXTURES, "glsl", "programs.txt")
    for line in read(listing).decode().splitlines():
        words = line.split("#")[0].split()
        if words:
            yield words[0], words[1:]


def modules(tmp):
    """(name, options, binary) of every module to test."""
    for kind, path in fixtures():
        fields = header(path)
        if kind == "invalid" or fields["spirv-bind"].startswith("pass "):
            continue
        out = os.path.join(tmp, "module-%s-%s.spv" % (kind, os.path.basename(path)[:-7]))
        assemble(path, fields["version"], out)
        yield os.path.relpath(path, FIXTURES), options_of(fields), out
    for source, flags in programs():
        out = os.path.join(tmp, source.replace("/", "-") + ".spv")
        glslang(os.path.join(FIXTURES, "glsl", source), out, *flags)
        if source.endswith(".hlsl"):  # overlapping registers, and (0, 0) for all that has none
            yield "glsl/" + source, ["--rules=hlsl"], out
        yield "glsl/" + source, ["--rebind=all" if source.endswith(".hlsl") else "--auto-binding=65534"], out


def bind(args, options, source, out, *more):
    run(args.bind, "-q", *options, source, "-o", out, *more)
    return read(out)


def layout(args, options, source, tmp):
    options = running.for_verb(args.bind, "layout", options)
    return json.loads(run(args.bind, "layout", "-q", *options, source, "--layout-json").stdout)


def is_idempotent(args, options, source, tmp):
    once = bind(args, options, source, tmp + "/once.spv")
    if bind(args, options, tmp + "/once.spv", tmp + "/twice.spv") != once:
        raise Failure("bind(bind(x)) differs from bind(x)")
    run(args.bind, "check", "-q", *options, tmp + "/once.spv")


def does_not_depend_on_the_path(args, options, source, tmp):
    other = os.path.join(tmp, "an other folder")
    os.makedirs(other, exist_ok=True)
    write(other + "/x.spv", read(source))
    a = bind(args, options, source, tmp + "/a.spv", "--layout-json=" + tmp + "/a.json")
    b = bind(args, options, other + "/x.spv", tmp + "/b.spv", "--layout-json=" + tmp + "/b.json")
    if a != b:
        raise Failure("the same module under another path came out different")
    name = os.path.basename(source).encode()
    if read(tmp + "/a.json").replace(b'"' + name + b'"', b'"x.spv"') != read(tmp + "/b.json"):
        raise Failure("the layout depends on the path")


def output_is_valid(args, options, source, tmp):
    bind(args, options, source, tmp + "/valid.spv")
    validate(tmp + "/valid.spv")
    for line in disassemble(tmp + "/valid.spv").splitlines(): # source text may well name the set
        if re.search(r'(OpExtInstImport|OpExtension) "(NonSemantic.DescriptorHandle|SPV_NV_bindless)|BindlessTextureNV|'
                     r'OpConvert\w+NV|OpSamplerImageAddressingModeNV|Bindless(Sampler|Image)NV|Bound(Sampler|Image)NV|'
                     r'LinkageAttributes "(g|defaultG)etDescriptorFromHandle', line):
            raise Failure("handle instructions are left: " + line)


def places(args, options, source, tmp):
    sets = layout(args, options, source, tmp)["sets"]
    return [(s["set"], b["binding"], b["name"], b["descriptorType"], b["count"]) for s in sets for b in s["bindings"]]


def does_not_depend_on_ids(args, options, source, tmp):
    text = disassemble(source)
    version = "1.%d" % version_of(source)
    ids = sorted(set(re.findall(r"%(\d+)", re.sub(r'"(\\.|[^"\\])*"', "", text))), key=int)
    shuffled = ids[:]
    random.Random(7).shuffle(shuffled)
    new = dict(zip(ids, shuffled))
    parts = re.split(r'("(?:\\.|[^"\\])*")', text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"%(\d+)", lambda m: "%" + new[m[1]], parts[i])
    first = "; compiler: Slang\n" if is_slang(words_of(source)) else ""
    write(tmp + "/shuffled.spvasm", (first + "".join(parts)).encode())
    if not spirv_text.needs_newer_tools(read(source)):
        assemble(tmp + "/shuffled.spvasm", version, tmp + "/shuffled.spv")
    elif newer_tools():
        run(*newer("spirv-as"), "--preserve-numeric-ids", "--target-env", "spv" + version,
            tmp + "/shuffled.spvasm", "-o", tmp + "/shuffled.spv")
    else:
        NOT_VALIDATED.add(read(source))
        return
    if places(args, options, source, tmp) != places(args, options, tmp + "/shuffled.spv", tmp):
        raise Failure("other ids, other bindings")


def swap(data):
    return b"".join(data[i:i + 4][::-1] for i in range(0, len(data), 4))


def keeps_the_byte_order(args, options, source, tmp):
    write(tmp + "/big.spv", swap(read(source)))
    if swap(bind(args, options, tmp + "/big.spv", tmp + "/big-out.spv")) != bind(args, options, source,
                                                                                 tmp + "/little-out.spv"):
        raise Failure("big-endian in, something else out")


CROSS = {"textures": "combined", "separate_images": "texture", "separate_samplers": "sampler", "images": "image",
         "ssbos": "ssbo", "ubos": "ubo", "subpass_inputs": "input-attachment", "acceleration_structures": "as"}


def entry_points(path, tmp, chosen):
    """Modules with one entry point each: spirv-cross --reflect reads the resources of the first only. `chosen`: the
    names that -e gives; none: all."""
    text = disassemble(path)
    found = re.findall(r'OpEntryPoint \w+ (%\d+) "([^"]*)"', text)
    functions = [function for function, _ in found]
    if len(functions) < 2:
        yield path
        return
    for keep, name in found:
        if chosen and name not in chosen:
            continue
        lines = [l for l in text.splitlines(True)
                 if not any(re.match(r" *(OpEntryPoint \w+|OpExecutionMode) %s " % f, l) for f in functions
                            if f != keep)]
        write(tmp + "/alone.spvasm", "".join(lines).encode())
        assemble(tmp + "/alone.spvasm", "1.%d" % version_of(path), tmp + "/alone.spv")
        if chosen:  # resources of other entry points are not in the layout, but would be in SPIRV-Cross's
            run("spirv-opt", "--eliminate-dead-functions", "--eliminate-dead-variables", tmp + "/alone.spv", "-o",
                tmp + "/alone.spv")
        yield tmp + "/alone.spv"


MARK = struct.pack("<I", 5300)  # NonUniform


def goes_into_loops(args, options, source, tmp):
    """With --waterfall, too: valid, final, and without decorations except those named in warnings."""
    without = bind(args, options, source, tmp + "/marked.spv")
    for more in ("--waterfall", "--waterfall=lengths", "--waterfall=drivers"):
        done = run(args.bind, *options, more, source, "-o", tmp + "/loops.spv", "--layout-json",
                             tmp + "/loops.json")
        if read(tmp + "/loops.spv") == without and MARK not in without:
            continue  # there are no accesses, and the other properties test binding without loops
        validate(tmp + "/loops.spv")
        if bind(args, [*options, more], tmp + "/loops.spv", tmp + "/again.spv") != read(tmp + "/loops.spv"):
            raise Failure("bind(bind(x)) differs from bind(x) with " + more)
        text = disassemble(tmp + "/loops.spv")
        left = re.search(r"OpDecorate %\d+ NonUniform|OpCapability (ShaderNonUniform|\w+NonUniformIndexing)", text)
        if more == "--waterfall" and left and b"SPB5101" not in done.stderr and "--nonuniform=keep" not in options:
            # a capability stays where no access needs a loop
            if "OpDecorate" in left[0] or re.search(r"OpDecorate %\d+ NonUniform", disassemble(tmp + "/marked.spv")):
                raise Failure("left without a warning: " + left[0])


def size_of(types, member):
    """Bytes of a member of a block that spirv-cross --reflect describes."""
    lengths = member.get("array", [])
    if lengths:  # the outermost is the last
        return lengths[-1] * member["array_stride"]
    if member.get("physical_pointer"):
        return 8
    if member["type"] in types:
        return max(m["offset"] + size_of(types, m) for m in types[member["type"]]["members"])
    kind, columns, rows = re.fullmatch(r"(\D+(?:\d\d?(?=vec|mat|_t)\D+)?)(\d?)(?:x(\d))?", member["type"]).groups()
    columns = int(columns or 1)
    if "mat" in kind:
        lines = int(rows or columns) if member.get("row_major") else columns
        return lines * member["matrix_stride"]
    return columns * width_of(kind)


def width_of(kind):
    for width, begins in ((8, ("double", "dvec", "int64", "uint64", "i64", "u64")), (1, ("int8", "uint8", "i8", "u8")),
                          (2, ("half", "float16", "int16", "uint16", "f16", "i16", "u16", "short", "ushort"))):
        if kind.startswith(begins):
            return width
    return 4


def members_of(block):
    return tuple((m["offset"], m["size"]) for m in block["members"])


def seen_members(types, block):
    """The offsets and sizes of members in SPIRV-Cross. It changes names, so these are not compared."""
    return tuple((m["offset"], size_of(types, m)) for m in types[block]["members"])


def spirv_cross_reads_the_same(args, options, source, tmp):
    out = tmp + "/cross.spv"
    if spirv_text.needs_newer_tools(bind(args, options, source, out)):
        return # and SPIRV-Cross does not know it
    mine, used, blocks = set(), set(), set()
    chosen = [options[i + 1] for i, o in enumerate(options) if o == "-e"]
    doc = layout(args, options, source, tmp)
    members = {(module["file"], b["id"]): members_of(b) for module in doc["modules"] for b in module["blocks"]}
    pushed_members = [members_of(b) for module in doc["modules"] for b in module["blocks"] if "pushConstants" in b]
    for s in doc["sets"]:
        for b in s["bindings"]:
            for view in b["views"]:
                blocks.add((s["set"], b["binding"], view["type"].get("size"),
                            members.get((view["module"], view["type"].get("blockId")))))
                mine.add((s["set"], b["binding"], view["name"].replace(".", "_") if "path" in view else view["name"]))
                if "block" in view["type"]:  # by which it identifies blocks of Slang and DXC; we use their variables
                    mine.add((s["set"], b["binding"], view["type"]["block"]))
            if b["used"] and (b["stages"] or not chosen):  # by the entry points in question
                used.add((s["set"], b["binding"]))
    theirs, ranges = set(), {}
    for alone in entry_points(out, tmp, chosen):
        reflected = json.loads(run("spirv-cross", alone, "--reflect").stdout)
        for group in CROSS:
            for r in reflected.get(group, []):
                theirs.add((r["set"], r["binding"], r["name"]))
                if "block_size" not in r:
                    continue
                block = (r["set"], r["binding"], r["block_size"], seen_members(reflected["types"], r["type"]))
                if block not in blocks:
                    raise Failure("SPIRV-Cross sees the block (set, binding, size, members) %s, our layout has %s" %
                                  (block, sorted(blocks, key=str)))
        for r in reflected.get("push_constants", []):
            fields = reflected["types"][r["type"]]["members"]
            if seen_members(reflected["types"], r["type"]) not in pushed_members:
                raise Failure("SPIRV-Cross sees the push constants %s, our layout has %s" %
                              (seen_members(reflected["types"], r["type"]), pushed_members))
            ranges.setdefault(reflected["entryPoints"][0]["mode"], []).append(
                (min(m["offset"] for m in fields), max(m["offset"] + size_of(reflected["types"], m) for m in fields)))
    pushed = {(min(first for first, _ in r), max(end for _, end in r)) for r in ranges.values()}
    if pushed != {(p["offset"], p["offset"] + p["size"]) for p in doc["pushConstants"]}:
        raise Failure("SPIRV-Cross sees the push constants %s, our layout has %s" % (pushed, doc["pushConstants"]))
    for s, b, name in theirs:  # it gives unnamed variables names that begin with _
        if name.startswith("_"):
            if (s, b) not in {(x, y) for x, y, _ in mine}:
                raise Failure("SPIRV-Cross sees %s at %d.%d, our layout has nothing there" % (name, s, b))
        elif (s, b, name) not in mine:
            raise Failure("SPIRV-Cross sees %s at %d.%d, our layout does not: %s" % (name, s, b, sorted(mine)))
    missing = used - {(s, b) for s, b, _ in theirs}
    if missing:
        raise Failure("SPIRV-Cross does not see what is used at %s" % sorted(missing))


@functools.lru_cache(maxsize=None)
def layout_schema():
    import jsonschema
    schema = json.loads(read(os.path.join(ROOT, "include/spirv-bind/layout.schema.json")))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def layout_fits_its_schema(args, options, source, tmp):
    layout_schema().validate(layout(args, options, source, tmp))


def lint_finds_nothing(args, options, source, tmp):
    """lint accepts what auto has decorated. Findings that no decoration repairs stay."""
    if any(o.startswith("--nonuniform") for o in options):
        return
    bind(args, options, source, tmp + "/marked.spv")
    options = [o for o in options if o in ("--uniform-scope=group-or-subgroup", "--distrust-uniform")]
    options = running.for_verb(args.bind, "lint", options)
    done = run(args.bind, "lint", *options, "--lint=nonuniform", tmp + "/marked.spv", expect=None)
    text = done.stderr.decode()
    if "SPB5001" in text or "SPB5002" in text or (done.returncode and "SPB5003" not in text):
        raise Failure("lint after auto:\n" + text)


def defined_in(path):
    """The ids that the module defines."""
    return set(re.findall(r"^\s*%(\d+) = ", disassemble(path), re.MULTILINE))


def speaks_of_the_input(args, options, source, tmp):
    """Every id in an explanation or a finding is one of the input module."""
    known = defined_in(source)
    for verb in ("explain", "lint"):
        run_options = [verb, "--diagnostics=json", *running.for_verb(args.bind, verb, options)]
        done = run(args.bind, *run_options, source, expect=None)
        said = (done.stdout + done.stderr).decode()
        for line in said.splitlines():
            unknown = set(re.findall(r"%(\d+)\b", line)) - known
            if unknown:
                raise Failure("%s: %s is not of the input: %s" % (" ".join(run_options), sorted(unknown), line))


def loads_each_descriptor_once(args, options, source, tmp):
    """In a block, no two pointers into our heaps are equal, nor two loads of a descriptor through one. Coherent and
    volatile memory is read as often as in the source."""
    bind(args, options, source, tmp + "/once.spv")
    text = disassemble(tmp + "/once.spv")
    heaps = set(re.findall(r'OpName (%\d+) "heap_', text)) - set(re.findall(r'OpName (%\d+) "', disassemble(source)))
    heaps -= set(re.findall(r"OpDecorate (%\d+) (?:Coherent|Volatile)\b", text))
    opaque = set(re.findall(r"(%\d+) = OpType(?:Image|SampledImage|Sampler|AccelerationStructureKHR)\b", text))
    seen = {}
    for line in text.split("\n"):
        found = re.match(r"\s*(%\d+) = (Op\S+) (.*)", line)
        if not found or found[2] == "OpLabel":
            seen = {} if found else seen
            continue
        words = found[3].split()
        pointer = found[2] in ("OpAccessChain", "OpInBoundsAccessChain") and words[1] in heaps
        load = found[2] == "OpLoad" and words[0] in opaque and words[1] in seen.values() and len(words) == 2
        if not pointer and not load:
            continue
        if (found[2], found[3]) in seen:
            raise Failure("%s and %s are the same" % (seen[found[2], found[3]], found[1]))
        seen[found[2], found[3]] = found[1]


PROPERTIES = [speaks_of_the_input, loads_each_descriptor_once, lint_finds_nothing, is_idempotent,
              does_not_depend_on_the_path, output_is_valid, does_not_depend_on_ids, keeps_the_byte_order,
              goes_into_loops, spirv_cross_reads_the_same, layout_fits_its_schema]


def properties(args, tmp):
    """They alternate, so that each is tested on some module of each folder."""
    found, turns = list(modules(tmp)), collections.Counter()
    folders = collections.Counter(name.split("/")[0] for name, _, _ in found)
    for name, options, binary in found:
        folder = name.split("/")[0]
        every = min(args.every, folders[folder])
        for check in PROPERTIES[turns[folder] % every::every]:
            yield "%s %s" % (name, check.__name__), lambda c=check, o=options, b=binary: c(args, o, b, tmp)
        turns[folder] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["golden", "properties"])
    parser.add_argument("--bind", required=True)
    parser.add_argument("--update", action="store_true", help="golden: write what is expected")
    parser.add_argument("--only", nargs="*", default=[], help="golden: these fixtures or folders")
    parser.add_argument("--without-tools", action="store_true",
                        help="golden: of a command without SPIRV-Tools, which assembles and validates nothing")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="properties: each Nth of every module; golden: one of N fixtures, by a hash of its name")
    args = parser.parse_args()
    args.bind = running.BIND = os.path.abspath(args.bind)
    with tempfile.TemporaryDirectory() as tmp:
        passed, failed = running.run_cases((golden if args.what == "golden" else properties)(args, tmp))
    if NOT_VALIDATED:
        print("not validated, for want of a spirv-val that knows SPV_EXT_descriptor_heap (scripts/sid_root.sh): %d "
              "modules" %
              len(NOT_VALIDATED))
    summary(passed, failed)


if __name__ == "__main__":
    main()
