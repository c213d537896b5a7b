# SPDX-License-Identifier: Apache-2.0
"""The command's behaviour: parsing of every option, exit statuses, and that no failure harms a file.

command.py tests layouts; the modules here are as small as possible, and need only spirv-as."""
import ctypes
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import struct
import subprocess
import time

import running
from running import Skip, bind_bytes as bind, read, run_bytes, says, write

# One uniform buffer, named after its block. DECORATIONS: its set and binding.
MODULE = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %main "main"
OpName %block "NAME"
OpName %v ""
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
DECORATIONS
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%block = OpTypeStruct %float
%ptr = OpTypePointer Uniform %block
%ptr_float = OpTypePointer Uniform %float
%v = OpVariable %ptr Uniform
%main = OpFunction %void None %fn
%label = OpLabel
%at = OpAccessChain %ptr_float %v %zero
%x = OpLoad %float %at
OpReturn
OpFunctionEnd
"""


def module(path="m.spv", decorations="", name="v", block="Block"):
    """A module whose resource has some of (set, binding); final if it has both."""
    text = MODULE.replace("DECORATIONS", decorations).replace("NAME", name).replace("%block Block", "%block " + block)
    run_bytes("spirv-as", "--target-env", "vulkan1.0", "-", "-o", path, stdin=text.encode())
    return path


def final(path="final.spv", binding=0, name="v", decorated_set=0, block="Block"):
    return module(path, "OpDecorate %%v DescriptorSet %d\nOpDecorate %%v Binding %d" % (decorated_set, binding), name,
                  block)


def conflict():
    """A uniform and a storage buffer at one binding, in two modules of one program."""
    return final("one.spv", 0, "a"), final("two.spv", 0, "b", block="BufferBlock")


def places(*args):
    table = bind("layout", "-q", *args).stdout.decode().splitlines()[1:]
    return [tuple(map(int, line.split()[:2])) for line in table]


def without_links():
    """In the child: link and linkat fail with EPERM, as on file systems that have no hard links. A seccomp filter also
    works for a statically linked command."""
    numbers = {"x86_64": (0xC000003E, 86, 265), "aarch64": (0xC00000B7, 37, 37)}.get(os.uname().machine)
    if not numbers:
        raise Skip("no numbers of system calls for this machine")
    load, equal, answer, allow, eperm = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050001
    filters = [(load, 0, 0, 4), (equal, 0, 4, numbers[0]), (load, 0, 0, 0), (equal, 1, 0, numbers[1]),
               (equal, 0, 1, numbers[2]), (answer, 0, 0, eperm), (answer, 0, 0, allow)]
    libc = ctypes.CDLL(None, use_errno=True)

    def forbid():
        code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *f) for f in filters))
        program = ctypes.create_string_buffer(struct.pack("@HP", len(filters), ctypes.addressof(code)))
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):  # no new privileges; seccomp
            raise OSError(ctypes.get_errno(), "prctl")
        try:
            os.link("a.spv", "another name")
        except PermissionError:
            return
        raise AssertionError("hard links can still be made")
    return forbid


def temporaries(directory="d"):
    return sorted(glob.glob(os.path.join(directory, ".spirv-bind.*", "[0-9]*")))


def written(directory="d"):
    """The temporary files that have contents, and what tells whether each is still the one it was."""
    found = {n: os.lstat(n) for n in temporaries(directory)}
    return {(n, st.st_ino, st.st_mtime_ns) for n, st in found.items() if st.st_size}


def heed_signals():
    """In the child: restores the signals that `nohup` and background jobs ignore."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def held(names, in_child=heed_signals):
    """The command at the point where all temporary files are in d and none is renamed: the layout goes to a blocked
    pipe."""
    if not os.path.exists("fifo"):
        os.mkfifo("fifo")
    before = written()
    p = subprocess.Popen([running.BIND, *names, "--out-dir=d", "--layout-json=fifo"], stderr=subprocess.PIPE,
                         preexec_fn=in_child)
    while p.poll() is None:
        try:
            if len(written() - before) == len(names):
                return p
        except FileNotFoundError:
            pass  # replaced just now
        time.sleep(0.01)
    raise AssertionError(p.communicate()[1])


# options

def test_a_value_follows_an_equals_sign_or_is_the_next_word():
    m = module()
    rule = "option default-set=3"
    assert places(m, "--policy=" + rule) == places(m, "--policy", rule) == [(3, 0)]


def test_numbers_are_decimal_or_hexadecimal_and_never_octal():
    for text, value in (("10", 10), ("0x10", 16), ("0X1f", 31), ("010", 10), ("0", 0)):
        assert places(final(binding=value), "--auto-binding=" + text) == [(0, 0)], text
    m = module()
    bind("layout", m, "--auto-binding=4294967295")
    bind("layout", m, "--auto-binding=0xFFFFFFFF")


def test_a_bad_number_is_wrong_usage():
    m = module()
    for option in ("--auto-binding", "--heap-set", "--heap-size"):
        for text in ("", "x", "-1", "+1", " 1", "1 ", "1x", "0x", "0x-1", "4294967296", "0x100000000",
                     "99999999999999999999"):
            assert option.encode() in bind("layout", m, option + "=" + text, expect=2).stderr, (option, text)


def test_a_heap_goes_where_it_is_asked_for():
    m = module()
    for value in ("", "texture", "texture=", "texture=1", "texture=1.", "texture=.1", "texture=1.2.3", "texture=1.2x",
                  "texture=-1.2",
                  "texture= 1.2", "texture=1.4294967296", "textur=1.2", "textures=1.2", "=1.2", "other=1.2",
                  "texture=+1.2"):
        bind("layout", m, "--heap=" + value, expect=2)
    for kind in ("sampler", "combined", "texture", "image", "utexbuf", "stexbuf", "ubo", "ssbo", "as", "counter"):
        bind("layout", m, "--heap=%s=4294967295.4294967295" % kind)
    bind("layout", m, "--heap", "texture=1.2", "--heap", "texture=3.4")


def test_auto_values_count_as_missing():
    assert places(final(binding=7, decorated_set=9), "--auto-binding=7") == [(9, 0)]
    assert places("final.spv", "--policy=option auto-set=9")[0][0] == 0


def test_only_documented_choices_are_accepted():
    m = final()
    for option, words in (("--rules", "slang"), ("--rebind", "missing conflicts all all,sets"),
                          ("--order", "source module name"), ("--combined", "native split"),
                          ("--heap-model", "typed mutable slang dxc"),
                          ("--nonuniform", "auto explicit all keep"),
                          ("--uniform-scope", "auto group group-or-subgroup"),
                          ("--validate", "output strict both none"),
                          ("--diagnostics", "text json sarif github"),
                          ("--target-env", "vulkan1.0 vulkan1.1 vulkan1.1spv1.4 vulkan1.2 vulkan1.3")):
        verb = "check" if option == "--validate" else "layout"
        for word in words.split():
            bind(verb, m, option + "=" + word)
            bind(verb, m, option, word)
        done = bind(verb, m, option + "=other", expect=2)
        assert all(word.encode() in done.stderr for word in words.split()), done.stderr
        bind(m, option, expect=2)


def test_an_environment_that_the_validator_does_not_know_is_refused():
    """Debian 12's SPIRV-Tools lack Vulkan 1.4; newer ones have it."""
    m = final()
    done = bind("layout", m, "--target-env=vulkan1.4", expect=None)
    version = run_bytes(running.BIND, "--version").stdout.split()[3]
    if done.returncode:
        assert done.returncode == 2 and version + b" does not know vulkan1.4" in done.stderr, done
    bind("layout", m, "--target-env=vulkan1.4")


def test_the_version_names_everything_that_results_depend_on():
    text = bind("--version").stdout.decode()
    found = re.fullmatch(r"spirv-bind (\d+\.\d+\.\d+)\nSPIRV-Tools (v\S+)\nSPIR-V grammar (\d+\.\d+\.\d+)\n", text)
    assert found and bind("--version=text").stdout.decode() == text, text
    j = json.loads(bind("--version=json").stdout)
    assert [j["name"], j["version"], j["spirvTools"], j["spirvGrammar"]] == ["spirv-bind", *found.groups()], j
    j = json.loads(running.start([running.BIND, "--version=json"], None, {}).stdout)  # in this process
    assert j["executable"] == hashlib.blake2b(read(running.BIND), digest_size=32).hexdigest(), j
    bind("--version=xml", expect=2)


def test_waterfall_takes_an_optional_word_after_equals():
    m = module()
    for option in ("--waterfall", "--waterfall=all", "--waterfall=lengths", "--waterfall=drivers"):
        bind("layout", m, option)
    for option in ("--waterfall=", "--waterfall=other"):
        bind("layout", m, option, expect=2)


def test_switches_take_no_other_value():
    """Flags can be turned off, so that a program of a manifest can override the command line."""
    m = final()
    for option in ("--allow-overlap", "--allow-unvalidated", "--relax-block-layout",
                   "--uniform-buffer-standard-layout",
                   "--scalar-block-layout", "--workgroup-scalar-block-layout", "--allow-localsizeid"):
        verb = "layout" if option == "--allow-overlap" else "check"
        for value in ("", "=1", "=0"):
            bind(verb, m, option + value)
        assert b"expected 1, 0 or no value" in bind(verb, m, option + "=2", expect=2).stderr
    bind("layout", m, "--fail-fast")
    assert b"takes no value" in bind("layout", m, "--fail-fast=1", expect=2).stderr
    bind("layout", m, "-q", "-v")


def test_rebind_all_reassigns():
    assert places(final(binding=7, decorated_set=9)) == [(9, 7)]
    assert places("final.spv", "--rebind=all") == [(9, 0)]
    assert places("final.spv", "--rebind=all,sets") == [(0, 0)]


def test_help_for_unknown_topics_lists_the_topics():
    text = bind("--help=nonsense", expect=2).stderr.decode()
    assert '"nonsense"' in text and "The groups are" in text, text
    groups = text.split("The groups are ")[1].split("\n")[0].rstrip(".").split(", ")
    assert len(groups) > 5 and "validation" in groups, groups
    for group in groups:
        shown = bind("--help=" + group).stdout.decode()
        assert "--" in shown and all(len(line) <= 80 for line in shown.splitlines()), shown


def test_misspellings_get_suggestions():
    for wrong, right in (("--outdir", "--out-dir"), ("--lcok", "--lock"), ("-lock", "--lock"),
                         ("--layout_json=x", "--layout-json"), ("--strip", "--strip-debug"), ("--Help", "--help")):
        assert b"Did you mean %s?" % right.encode() in bind(wrong, expect=2).stderr, wrong
    assert b"Did you mean" not in bind("--zzzzzzzz", expect=2).stderr


def test_a_missing_or_empty_value_is_wrong_usage():
    m = module()
    for option in ("-o", "--out-dir", "--layout-json"):
        bind(m, option, expect=2)
        bind(m, option, "", expect=2)
    bind(m, "--out-dir=", expect=2)


def test_options_end_at_two_dashes():
    module("-n.spv")
    bind("-o", "out.spv", "--", "-n.spv")
    assert read("out.spv")[:4] == b"\x03\x02\x23\x07"
    bind("layout", "-n.spv", expect=2)


def test_exactly_one_output_is_required():
    m, n = module(), module("n.spv")
    for args in ([m], ["check", m, "-o", "x"], [m, "-o", "x", "--out-dir", "d"], [m, n, "-o", "x"],
                 [m, "-o", "-", "--layout-json=-"], ["layout", m, "--layout-json", "--layout-header"]):
        assert bind(*args, expect=2).stderr.startswith(b"spirv-bind: "), args
    assert not os.path.exists("x") and not os.path.exists("d")


def test_help_names_each_option_and_they_exist():
    text = bind("--help").stdout.decode()
    assert text == bind("-h").stdout.decode()
    for option in set(re.findall(r"--[a-z][a-z-]+", text)):
        assert b"unknown option" not in bind(option, expect=0 if option in ("--help", "--version") else
                                        bind_status(option)).stderr, option


def bind_status(option):
    return bind(option, stdin=b"", expect=None).returncode


# collisions

def test_the_same_input_twice_is_wrong_usage():
    m = module()
    bind("layout", m, m, expect=2)
    bind("layout", "-", "-", expect=2)


def test_inputs_with_the_same_file_name_collide_in_a_directory():
    os.mkdir("a"), os.mkdir("b")
    module("a/m.spv"), module("b/m.spv")
    assert b"m.spv" in bind("a/m.spv", "b/m.spv", "--out-dir", "d", expect=2).stderr
    bind("layout", "a/m.spv", "b/m.spv")
    assert not os.path.exists("d")


def test_the_layout_does_not_overwrite_a_module():
    m = module()
    before = read(m)
    os.mkdir("d"), os.symlink("../m.spv", "d/link")
    for args in (["-o", "x", "--layout-json=x"], ["-o", "x", "--layout-json=./x"], ["-o", "x", "--layout-json=m.spv"],
                 ["--out-dir=d", "--layout-json=d/m.spv"], ["--out-dir=new", "--layout-json=new/m.spv"],
                 ["-o", "x", "--layout-json=d/link"]):
        bind(m, *args, expect=2)
    assert read(m) == before and not os.path.exists("x") and not os.path.exists("new")


# inputs

def test_files_that_are_not_modules_are_refused():
    whole = read(module())
    for name, data, words in (("empty", b"", b"[SPB1001]"), ("odd", whole + b"\0", b"[SPB1001]"),
                              ("cut", whole[:-4], b"error: "),
                              ("text", b"; SPIR-V\nOpCapability Shader\n", b"this is text"),
                              ("text4", b"#version 450\n\n\n\n", b"this is text"),
                              ("zeros", bytes(64), b"error: ")):
        write(name, data)
        done = bind(name, "-o", "x", expect=1)
        assert words in done.stderr and done.stderr.startswith(name.encode() + b":"), (name, done.stderr)
        assert not os.path.exists("x")


def test_an_input_that_cannot_be_read_is_an_input_failure():
    os.mkdir("d")
    for name in ("missing", "d", "missing/m.spv", ""):
        assert b"cannot read" in bind(name, "-o", "x", expect=4).stderr, name


def test_stdin_is_read_to_its_end_from_a_pipe():
    whole = read(module())
    bind("m.spv", "-o", "x")
    p = subprocess.Popen([running.BIND, "-o", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for at in range(0, len(whole), 101):
        p.stdin.write(whole[at:at + 101])
        p.stdin.flush()
    out, _ = p.communicate()
    assert p.returncode == 0 and out == read("x")
    bind("-", "--out-dir", "d", stdin=whole, expect=2)
    assert b"<stdin>" in bind("check", "-", stdin=whole, expect=3).stderr


def test_hostile_file_names_do_no_harm():
    for name in ("a b.spv", "new\nline: error: x.spv", "\x1b[31mred.spv", "%s%n.spv", "'\"$(x)`.spv",
                 "n" * 251 + ".spv", "ü.spv"):
        module("plain.spv")
        os.rename("plain.spv", name)
        stderr = bind("check", name, "-q", expect=3).stderr
        assert stderr.count(b"\n") == 1 and b"\x1b" not in stderr, stderr
        bind("./" + name, "-v", "-o", name)
        bind("check", name)
        assert b"\x1b" not in bind("layout", name + "/x", expect=4).stderr
    assert len(os.listdir(".")) == 7
    raw = b"\xff\xfe.spv"
    os.rename("a b.spv", raw)
    bind("check", raw)


def test_control_characters_in_a_variable_name_are_not_printed():
    final("one.spv", 0, "x\x1b[31m\nm.spv:1: error: fake"), final("two.spv", 0, "other", block="BufferBlock")
    stderr = bind("layout", "one.spv", "two.spv", expect=1).stderr
    assert b"\x1b" not in stderr and not re.search(rb"^m\.spv:1", stderr, re.M), stderr
    assert b"\x1b" not in bind("layout", "one.spv").stdout


# outputs

def test_success_is_silent_and_v_reports_the_work():
    m = module()
    done = bind(m, "-o", "x")
    assert not done.stdout and not done.stderr
    assert b"unchanged: x" in bind(m, "-v", "-o", "x").stderr
    assert b"wrote y" in bind(m, "-v", "-o", "y").stderr
    assert b"wrote -" in bind(m, "-v", "-o", "-").stderr
    assert b"final form: x" in bind("check", "x", "-v").stderr


def test_check_names_each_module_that_is_not_final():
    m, f = module(), final(binding=5, name="w")
    before = read(m)
    stderr = bind("check", m, f, expect=3).stderr
    assert b"m.spv" in stderr and b"final.spv" not in stderr and read(m) == before
    bind("check", f)


def test_layout_writes_no_module_but_validates():
    m = module()
    bind("layout", m)
    assert os.listdir(".") == ["m.spv"]
    assert json.loads(bind("layout", m, "--layout-json").stdout)
    bind("layout", m, "--layout-json=j")
    assert sorted(os.listdir(".")) == ["j", "m.spv"]
    bind("layout", *conflict(), expect=1)


def test_q_leaves_only_errors():
    conflict()
    assert b"warning" in bind("layout", "one.spv", "two.spv", "--allow-overlap").stderr
    assert not bind("layout", "one.spv", "two.spv", "--allow-overlap", "-q").stderr
    stderr = bind("layout", "one.spv", "two.spv", "-q", expect=1).stderr
    assert says(stderr, "error SPB4001") and b"note:" not in stderr and b"warning:" not in stderr, stderr


def test_in_place_keeps_permissions_and_an_equal_file():
    m = module()
    os.chmod(m, 0o640)
    bind(m, "-o", m)
    assert stat.S_IMODE(os.stat(m).st_mode) == 0o640
    os.utime(m, (1, 1))
    bind(m, "-o", m)
    assert os.stat(m).st_mtime == 1
    bind(m, "-o", m, "--layout-json=j")
    os.utime("j", (1, 1))
    bind(m, "-o", m, "--layout-json=j")
    assert os.stat("j").st_mtime == 1 and sorted(os.listdir(".")) == ["j", m]


def test_a_new_file_has_the_permissions_of_umask():
    m = module()
    bind(m, "-o", "x", preexec_fn=lambda: os.umask(0o027))
    assert stat.S_IMODE(os.stat("x").st_mode) == 0o640


def test_symbolic_links_are_written_through():
    m = module()
    os.mkdir("d")
    write("d/real", "old")
    os.symlink("d/real", "link"), os.symlink("d/new", "dangling"), os.symlink("dangling", "twice")
    bind(m, "-o", "link"), bind(m, "-o", "twice")
    assert os.path.islink("link") and os.path.islink("twice") and os.path.islink("dangling")
    assert read("d/real") == read("d/new") and len(read("d/new")) > 20


def calls_of(*args):
    """The number of a run's system calls about files, and of those that resolve paths."""
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")  # the leak check cannot be traced
    done = run_bytes("strace", "-f", "-c", "-o", "calls", running.BIND, *args, expect=None, env=env)
    if done.returncode:
        raise Skip("strace: " + done.stderr.decode())
    rows = [line.split() for line in read("calls").decode().splitlines()]
    counts = {row[-1]: int(row[3]) for row in rows if re.fullmatch(r"\d+", row[3])}
    about_files = re.compile(r"open|read|write|close|stat|sync|link|rename|mkdir|fcntl|access|getcwd|getdents|chmod")
    resolving = ("readlink", "getcwd", "access", "faccessat2")
    return (sum(n for name, n in counts.items() if about_files.search(name)), sum(counts.get(n, 0) for n in resolving))


def test_one_folder_under_several_names():
    m = module()
    os.mkdir("d"), os.symlink("d", "e")
    for words in ["-o", "d/x.spv"], ["--each", "--out-dir=d"]:
        write("d/old", "")
        bind(m, *words, "--layout-json=./d/%s.json" % ("%" if "--each" in words else "x"), "--stamp=e/s")
        assert len(os.listdir("d")) == 4, os.listdir("d")
        shutil.rmtree("d"), os.mkdir("d")


def test_a_loop_of_links_is_an_output_failure():
    m = module()
    os.symlink("a", "b"), os.symlink("b", "a")
    for words in (["-o", "a"], ["-o", "o.spv", "--layout-json=a"], ["-o", "o.spv", "--stamp=a"]):
        assert b"link" in bind(m, "--rebind=all,sets", *words, expect=4).stderr
        assert os.readlink("a") == "b" and os.readlink("b") == "a" and not os.path.exists("o.spv")
    os.mkdir("d"), os.symlink("m.spv", "d/m.spv")
    assert b"link" in bind(m, "--each", "--rebind=all,sets", "--out-dir=d", expect=4).stderr
    assert os.readlink("d/m.spv") == "m.spv"


def test_system_calls_per_file():
    names = [module("m%02d.spv" % i) for i in range(12)]
    # The input: open, fstat, read, close, and a comparison with the layout. The output: lstat, and a comparison with
    # layout; if it is new, create, write, fsync, close, link, rename; if it is the same, open, read, close. In a batch:
    # create, write, close, rename.
    cases = (("new", 12, ["--policy=option merge=no", "--out-dir=d", "--layout-json=j"]),
             ("the same", 10, ["--policy=option merge=no", "--out-dir=d", "--layout-json=j"]),
             ("batch", 9, ["--each", "-j1", "--out-dir=b"]))
    for case, most, args in cases:
        found = []
        for count in (2, 12):
            for old in ("d", "j", "b") if case != "the same" else ():
                run_bytes("rm", "-rf", old)
            found.append(calls_of(*names[:count], *args, "--validate=none"))
        more, resolving = ((b - a) / 10 for a, b in zip(*found))
        assert more <= most and resolving == 0, (case, found)
        assert more >= most - 2, (case, found, "this test could be stricter")


def test_a_pipe_gets_the_module():
    m = module()
    bind(m, "-o", "x")
    os.mkfifo("fifo")
    p = subprocess.Popen(["cat", "fifo"], stdout=subprocess.PIPE)
    bind(m, "-o", "fifo")
    assert p.communicate()[0] == read("x") and stat.S_ISFIFO(os.stat("fifo").st_mode)
    assert subprocess.run([running.BIND, m, "-o", "/dev/stdout"], stdout=subprocess.PIPE).stdout == read("x")
    for option in "--layout-json=", "--report=":
        bind(m, "-o", "x", option + "l")
        piped = subprocess.run([running.BIND, m, "-o", "x", option + "/dev/stdout"], stdout=subprocess.PIPE)
        assert piped.returncode == 0 and piped.stdout == read("l"), option


def test_a_huge_file_is_not_read():
    with open("huge.spv", "wb") as f:
        f.truncate(1 << 40)
    assert b"cannot read huge.spv: File too large" in bind("huge.spv", "-o", "x", expect=4).stderr
    assert b"cannot read huge.spv: File too large" in bind(module(), "--lock=huge.spv", "-o", "x", expect=4).stderr


# failures

def test_a_full_disk_and_a_closed_pipe_are_output_failures():
    m = module()
    bind(m, "-o", "/dev/full", expect=4)
    for args in ([m, "-o", "-"], ["layout", m], ["layout", m, "--layout-json"], ["explain", m], ["--help"],
                 ["--version"], ["explain", "SPB4001"]):
        with open("/dev/full", "wb") as full:
            bind(*args, stdout=full, expect=4)
        r, w = os.pipe()
        os.close(r)
        bind(*args, stdout=w, expect=4)
        os.close(w)
        if m in args:
            bind(*args, preexec_fn=lambda: os.close(1), stdout=None, expect=4)


def test_stdout_failing_leaves_the_files():
    m = module()
    for option in ("--layout-json=-", "--layout-header=-"):
        with open("/dev/full", "wb") as full:
            bind(m, "-o", "x", option, stdout=full, expect=4)
        assert os.listdir(".") == [m]


def test_closed_standard_streams_do_not_end_up_in_files():
    m = module()
    bind(m, "-o", "x")
    bind(m, "-v", "-o", "y", preexec_fn=lambda: (os.close(0), os.close(1), os.close(2)), stdout=None)
    assert read("x") == read("y")


def test_a_file_too_large_leaves_nothing():
    import resource
    m = module()
    bind(m, "-o", "x", expect=4, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)))
    assert os.listdir(".") == [m]


def test_a_target_that_is_a_directory_leaves_the_others():
    module("a.spv", name="a"), module("b.spv", name="b")
    os.makedirs("d/b.spv")
    write("d/a.spv", "old")
    assert b"cannot write" in bind("a.spv", "b.spv", "--out-dir", "d", expect=4).stderr
    assert read("d/a.spv") == b"old" and sorted(os.listdir("d")) == ["a.spv", "b.spv"]
    bind("a.spv", "-o", "d", expect=4)
    bind("a.spv", "-o", "missing/x", expect=4)
    bind("a.spv", "--out-dir", "a.spv", expect=4)


def test_an_unused_new_directory_is_removed():
    m = module()
    bind(m, "--out-dir", "d", "--layout-json=missing/j", expect=4)
    assert os.listdir(".") == [m]


def test_folders_are_created_and_removed():
    m = module()
    bind(m, "--out-dir", "some/where//deep/", "--dump-after=assign-bindings")
    bind(m, "--out-dir", "some/where/else", "--each")
    assert os.listdir("some/where/else") == [m]
    bind(m, "--out-dir", os.path.abspath("some/other"), "--layout-json=missing/j", expect=4)
    bind(m, "--out-dir", "new/folder", "--each", "--layout-json=missing/%", expect=4)
    bind(m, "--out-dir", m + "/x/y", expect=4)
    assert sorted(os.listdir(".")) == [m, "some"] and sorted(os.listdir("some/where")) == ["deep", "else"]
    assert os.listdir("some") == ["where"]


def test_other_files_make_no_folders():
    """A misspelt folder is not created; but other files may be in folders that --out-dir creates."""
    m, lock = module(), ["--update-lock"]
    for args in (["-o", "new/x"], ["--layout-json=new/x"], ["--layout-header=new/x"], ["--layout-glsl=new/x"],
                 ["--report=new/x"], ["--stamp=new/x"], ["--depfile=new/x"],
                 ["--lock=new/x", *lock], ["--diagnostics=sarif:new/x"]):
        writes = [] if args[0] == "-o" else ["-o", "out.spv"]
        said = bind(m, *writes, *args, expect=4).stderr
        assert b"new/x: No such file or directory" in said, (args, said)
        assert not os.path.exists("new"), args
    side = ["--layout-json=new/j", "--report=new/r", "--stamp=new/s", "--depfile=new/d", "--lock=new/l", *lock]
    bind(m, "--out-dir=new", *side)
    assert sorted(os.listdir("new")) == ["d", "j", "l", m, "r", "s"]


def test_check_refuses_options_that_have_no_effect():
    m = final("m.spv")
    for option in ("--layout-json=x", "--layout-json=-", "--layout-header=x", "--layout-glsl=x", "--report=x",
                   "--accesses", "--update-lock", "--out-dir=x", "--record-options"):
        said = bind("check", m, option, expect=2)
        name = option.split("=")[0]
        wanted = "spirv-bind: error: check takes no %s\nspirv-bind: note: See spirv-bind check --help.\n" % name
        assert said.stderr == wanted.encode(), said.stderr
        assert not said.stdout and os.listdir(".") == [m], option
    bind("check", m, "--stamp=s", "--depfile=d")  # these are about the run
    assert sorted(os.listdir(".")) == ["d", m, "s"]


def test_several_outputs_are_one_for_each_input():
    one, two = final("one.spv", 3, "a"), module("two.spv", name="b")
    bind(one, two, "-o", "x", "-o", "y", "--depfile=d")
    assert read("x") == read(one) and read("y") != read(two) and read("d").startswith(b"x y: one.spv two.spv\n")
    bind(one, "-o", "in", "-o", "imported", "--import", two)
    assert read("in") == read(one) and read("imported") == read("y")
    before = read(two)
    for wrong, said in ((("-o", "x"), b"-o takes a single input"),
                        (("-o", "x", "-o", "y", "-o", "z"), b"one for each input"),
                        (("-o", "x", "-o", "./x"), b"same file"), (("-o", two, "-o", "x"), b"order of the inputs"),
                        (("-o", "x", "-o", "-"), b"stdout"), (("-o", "x", "-o", "y", "--layout-json=y"), b"same file"),
                        (("-o", "x", "-o", "y", "--out-dir=d"), b"exclude"), (("-o", "x", "-o", "y", "--each"), b"-o")):
        assert said in bind(one, two, *wrong, expect=2).stderr, wrong
    bind(one, two, "-o", one, "-o", two)  # in place
    assert read(two) != before


def test_words_of_a_response_file():
    m, odd = module(), module("it's \"odd\" @1.spv")
    write("args", "\xef\xbb\xbf--auto-binding=65534\r\n\t-o 'a b'\\ c \"m\".spv\n".encode("latin-1"))
    bind("@args", "--depfile=d")
    assert read("a b c") and b" args" in read("d").split(b"\n")[0], read("d")
    write("odd", "-o x \"it's \\\"odd\\\" @1.spv\"")
    write("outer", "@odd -q")
    bind("@outer")
    assert read("x") and odd
    write("@", read(m)), write("quoted", "-o y '@'")
    bind("@quoted"), bind("-o", "z", "--", "@"), bind("-o", "z", "./@")
    write("empty", " \n"), bind("@empty", m, "-o", "z")


def test_a_response_file_that_is_wrong_or_hostile_is_refused():
    m = module()
    write("self", "@self @self"), write("quote", "-o 'x"), write("zero", b"-o x\0y " + m.encode())
    write("many", "@leaf " * 300), write("leaf", "-q"), write("long", "-q " * 1200000)
    for name, status, said in (("self", 2, b"name each other"), ("many", 2, b"too often"),
                               ("quote", 2, b"does not end"),
                               ("none", 4, b"cannot read"), ("", 2, b"name of a file"), ("-", 2, b"name of a file"),
                               ("long", 2, b"million")):
        assert said in bind("layout", "@" + name, m, expect=status).stderr, name
    bind("@zero")  # a NUL does not end a word
    assert read("x?y")
    write("bytes", bytes(range(1, 256)))
    bind("@bytes", expect=None)
    write("backslash", "layout " + m + " \\")
    bind("@backslash", expect=4)  # a final backslash is part of a name


def in_terminal(*args, **environment):
    """The output of the command on a terminal."""
    main, terminal = os.openpty()
    try:
        done = subprocess.run([running.BIND, *args], stdin=terminal, stdout=terminal, stderr=terminal,
                              env=dict(os.environ, **environment), timeout=running.HANGS)
        os.close(terminal)
        terminal = -1
        text = b""
        try:
            while chunk := os.read(main, 4096):
                text += chunk
        except OSError:  # the end, on Linux
            pass
        return done.returncode, text
    finally:
        os.close(main)
        if terminal >= 0:
            os.close(terminal)


def test_messages_are_colored_on_a_terminal_only():
    one, two = conflict()
    red = b"\x1b[1;31merror: \x1b[0m"
    assert red in in_terminal("layout", one, two, TERM="xterm", NO_COLOR="")[1]
    for args, environment in (((), {"NO_COLOR": "1", "TERM": "xterm"}), ((), {"TERM": "dumb"}),
                              (("--color=never",), {"TERM": "xterm"})):
        status, text = in_terminal("layout", one, two, *args, **environment)
        assert status == 1 and b"error: " in text and b"\x1b" not in text, text
    assert red in bind("layout", one, two, "--color=always", expect=1).stderr
    assert b"\x1b" not in bind("layout", one, two, expect=1).stderr
    assert b"\x1b" not in bind("layout", one, two, "--color=always", "--diagnostics=json", expect=1).stderr


def test_no_input_on_a_terminal_is_an_error():
    status, text = in_terminal("-o", "x")
    assert status == 2 and b"no input" in text, text


def obey_permissions():
    """In the child: drops CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, so that root, too, obeys permissions."""
    for capability in (1, 2) if os.geteuid() == 0 else ():
        if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0):  # drop it from the bounding set
            raise OSError("prctl")


def test_a_directory_that_forbids_writing_leaves_the_target():
    m = module()
    os.mkdir("d")
    write("d/m.spv", "old")
    os.chmod("d", 0o555)
    try:
        bind(m, "--out-dir", "d", expect=4, preexec_fn=obey_permissions)
    finally:
        os.chmod("d", 0o755)
    assert read("d/m.spv") == b"old" and os.listdir("d") == ["m.spv"]


def test_a_refused_module_leaves_all_files():
    module("a.spv"), write("b.spv", bytes(40))
    os.mkdir("d")
    write("d/a.spv", "old")
    bind("a.spv", "b.spv", "--out-dir", "d", "--layout-json=d/j", expect=1)
    assert read("d/a.spv") == b"old" and os.listdir("d") == ["a.spv"]


def fail_each_rename(in_child=None):
    names = ["a.spv", "b.spv", "c.spv"]
    for n in names:
        module(n, name=n[0])
    for k in range(3):
        shutil.rmtree("d", ignore_errors=True)
        os.mkdir("d")
        write("d/a.spv", "old a"), write("d/c.spv", "old c")
        os.chmod("d/a.spv", 0o600)
        p = held(names, in_child)
        os.unlink(temporaries()[k])  # what is not there cannot be renamed
        assert read("fifo").startswith(b"{")
        stderr = p.communicate(timeout=running.HANGS)[1]
        assert p.returncode == 4 and b"cannot write" in stderr, (p.returncode, stderr)
        assert sorted(os.listdir("d")) == ["a.spv", "c.spv"], (k, os.listdir("d"))
        assert read("d/a.spv") == b"old a" and read("d/c.spv") == b"old c"
        assert stat.S_IMODE(os.stat("d/a.spv").st_mode) == 0o600
    bind(*names, "--out-dir", "d", preexec_fn=in_child)
    assert sorted(os.listdir("d")) == names and read("d/a.spv")[:4] == b"\x03\x02\x23\x07"
    assert stat.S_IMODE(os.stat("d/a.spv").st_mode) == 0o600


def test_a_failing_rename_puts_the_others_back():
    fail_each_rename()


def test_a_failing_rename_puts_the_others_back_where_there_are_no_hard_links():
    fail_each_rename(without_links())


def test_a_signal_leaves_no_temporary_file():
    module("a.spv", name="a"), module("b.spv", name="b")
    os.mkdir("d")
    write("d/a.spv", "old")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        p = held(["a.spv", "b.spv"])
        p.send_signal(number)
        p.communicate(timeout=running.HANGS)
        assert p.returncode == -number
        assert os.listdir("d") == ["a.spv"] and read("d/a.spv") == b"old"


if __name__ == "__main__":
    running.main(globals())
