# SPDX-License-Identifier: Apache-2.0
"""Rows of conformance/hlsl-peers.txt: behaviour that tests of DXC and LLVM check. Plain rows hold under --rules=hlsl, S
and L rows (numbers for SPIR-V) under --profile=dxc and --profile=llvm. A row without a case must have its reason in
DIFFERENT; a row with neither fails."""
import os
import re

from layout_rules import HERE, Failure, expect_registers
from module_text import Module

UMAX = 4294967295


def rows():
    with open(os.path.join(HERE, "conformance", "hlsl-peers.txt")) as f:
        for line in f:
            found = re.match(r"(\d+) +(.*)", line)
            if found:
                yield int(found[1]), found[2]


# Not expressible in SPIR-V, or we differ on purpose.
DIFFERENT = {
    43: "a library: registers that nobody assigns do not exist in SPIR-V for Vulkan, where all must have a binding",
    48: "register(ps, ...): which profile a register is for is decided by the front end; SPIR-V has one number",
    53: "DXC numbers elements of an array in a struct by their use; here arrays are whole (docs/bindings.md), so that "
        "Many.Array@0..3 and JustOne@1 collide: 53b shows the error",
    65: "a test of LLVM's allocator alone: what it finds is 65b, through the command",
    66: "the same: 66b",
    76: "register() against vk::binding: the front end decides, SPIR-V has one number (row 17 of slang-binding is such "
        "a one)",
    94: "samplers share a binding with nothing here: 94b puts both heaps into set 7, 94c shows the error",
}


def places(run, declarations, *options, **more):
    return run.command([Module(declarations, **more)], *options)[0][0]


def same(got, want):
    """want: 'a=0.3 b=1.0' as set.binding; names that are not in it do not matter."""
    for word in want.split():
        name, at = word.split("=")
        place = tuple(int(n) for n in at.split("."))
        if got.get(name) != place:
            raise Failure("%s should be at %s: %s" % (name, at, got))


def hlsl(declarations, want, *options, **more):
    def case(run):
        _, layout = run.command([Module(declarations, **more)], "--rules=hlsl", *options)
        expect_registers(layout, want)
    return case


def error(declarations, words, *options):
    def case(run):
        text = run.command([Module(d) for d in declarations.split(" | ")], *options, expect=1)
        for word in words:
            if word not in text:
                raise Failure("%s is not in: %s" % (word, text))
    return case


def shared(declarations, words):
    """An error for DXC and LLVM. Vulkan allows it if one descriptor serves both (docs/bindings.md), so modules of other
    languages are bound, and those of HLSL with a warning."""
    def case(run):
        run.command([Module(declarations)], HLSL)
        if "warning" in run.stderr:
            raise Failure(run.stderr)
        run.command([Module(declarations, source="HLSL 600")], HLSL)
        for word in ["[SPB4016]", "as HLSL demands"] + words:
            if word not in run.stderr:
                raise Failure("%s is not in: %s" % (word, run.stderr))
    return case


def numbers(declarations, want, *options, **more):
    return lambda run: same(places(run, declarations, *options, **more), want)


DXC, FLAT, LLVM, HLSL = "--profile=dxc", "--profile=dxc-flattened", "--profile=llvm", "--rules=hlsl"


def flattened_indexes(run):
    """Row 39: element [2][5] of [3][7] at 11 is register 30, and so on: lower bound + index from the beginning."""
    for name, kind, dims, register, index, want in (("Tex2", "t", (3, 7), 11, (2, 5), 30),
                                                    ("Tex3", "t", (13, 5), 36, (11, 3), 94),
                                                    ("Samp4", "s", (7, 3), 4, (6, 1), 23),
                                                    ("buf2", "b", (4, 16), 18, (2, 5), 55)):
        m = Module("%s:%s[%d][%d]@%d!" % (name, kind, *dims, register))
        item = m.items[0]
        leaf = m.type_of(item)
        path = [m.constant(i) for i in index] + ([m.constant(0)] if kind == "b" else [])
        loaded = "%v4float" if kind == "b" else leaf
        storage = "Uniform" if kind == "b" else "UniformConstant"
        m.body += ["%%c = OpAccessChain %s %%v_%s %s" % (m.pointer(storage, loaded), name, " ".join(path)),
                   "%%l = OpLoad %s %%c" % loaded]
        _, layout = run.command([m], HLSL, "--accesses")
        access = layout["accesses"][0]
        if access["range"][0] + access["index"] != want:
            raise Failure("%s: %s" % (name, access))


def two_sets_of_unbounded(run):
    text = run.command([Module("Tex1:t[]@3 Tex2:t[]@4 Tex3:t[]@5,1 Tex4:t[]@6,1")], HLSL, expect=1)
    for pair in (("Tex2", "Tex1"), ("Tex4", "Tex3")):
        if not any("error" in l and '"%s"' % pair[0] in l and '"%s"' % pair[1] in l for l in text.splitlines()):
            raise Failure("%s and %s: %s" % (*pair, text))


def several_calls(run):
    """Rows 96: one numbering, whichever module is first, and in a second module, too."""
    a = Module("c:t@0 e:t@2 b:t d:t f:t@1,10 i:t@2,10 g:t@,10 h:t[2]@,10")
    b = Module("c:t@0 e:t@2 b:t d:t f:t@1,10 i:t@2,10 g:t@,10 h:t[2]@,10")
    for got in run.command([a, b], LLVM)[0]:
        same(got, "b=0.1 d=0.3 g=10.0 h=10.3")


def one_resource_in_three_modules(run):
    """Row 71: A and B at 5 collide; one resource that three modules declare does not."""
    shared("A:t@5 B:t@5", ['"A"', '"B"'])(run)
    error("A:t@5 B:rossbo@5", ["SPB4001", "t5"], HLSL)(run)
    modules = [Module("A:t@5 x:t")] + [Module("A:t@5") for _ in range(2)]
    expect_registers(run.command(modules, HLSL)[1], "A=t5 x=t0")


def both_unbounded(run):
    same(places(run, "A:t[] B:t[]", LLVM), "A=0.0 B=0.1")
    error("A:t[] B:t[]", ["SPB4007"], HLSL)(run)


def unused_counts(run):
    same(places(run, "A:t B:t[4]! C:t D:t", LLVM), "A=0.0 C=0.1 D=0.2")
    same(places(run, "A:t B:t[4]! C:t D:t", DXC), "A=0.0 B=0.1 C=0.2 D=0.3")
    for profile in (DXC, LLVM):
        same(places(run, "A:t B:t[4] C:t D:t", profile), "A=0.0 B=0.1 C=0.2 D=0.3")


def legacy(declarations, kept, lost):
    def case(run):
        expect_registers(run.command([Module(declarations)], HLSL, "--unused=count")[1], kept)
        expect_registers(run.command([Module(declarations)], HLSL)[1], lost)
    return case


def overlap_is_said(run):
    """Row 82: DXC is silent."""
    text = run.command([Module("x:smp[2]@1 y:tex[3]@2")], FLAT, expect=1)
    if '"x"' not in text or '"y"' not in text:
        raise Failure(text)
    same(run.command([Module("x:smp[2]@1 y:tex[3]@2")], FLAT, "--allow-overlap")[0][0], "x=0.1 y=0.2")


def heaps(declarations, want, handles, resources, samplers, *options):
    """The bindings of the heaps of resources and samplers, if DescriptorHandles of these kinds are dereferenced."""
    def case(run):
        got, layout = run.command([Module(declarations, handles=handles)], *options)
        same(got[0], want)
        for h in layout["heaps"]:
            name = "samplers" if h["kind"] == "sampler" else "resources"
            same({name: (h["set"], h["binding"])}, "%s=%s" % (name, samplers if name == "samplers" else resources))
        if bool(samplers) != any(h["kind"] == "sampler" for h in layout["heaps"]):
            raise Failure(layout["heaps"])
    return case


CASES = {
    35: hlsl("Tex1:t Tex2:t[21]@11 Tex3:t[65]@36 Tex4:t[4] MyTB:rossbo@11,3 tbuf1:rossbo[4] tbuf3:rossbo[4]@3 "
             "tbuf2:rossbo[2] "
             "tbuf4:rossbo[4]@2,3",
             "Tex1=t0 Tex2=t11..31 Tex3=t36..100 Tex4=t7..10 tbuf1=t32..35 tbuf3=t3..6 tbuf2=t1..2 MyTB=t11/3 "
             "tbuf4=t2..5/3"),
    37: hlsl("Samp2:s Samp3:s[6] Samp4:s[21]@4 Samp1:s[3]", "Samp2=s0 Samp3=s25..30 Samp4=s4..24 Samp1=s1..3"),
    39: flattened_indexes,
    40: hlsl("Tex1:t Tex2:t[21]@11! Tex3:t[]@8! Tex4:t[]@8,1! MyTB:rossbo@11,3 tbuf1:rossbo[4]@32 tbuf2:rossbo[4]@18! "
             "tbuf3:rossbo[] tbuf4:rossbo[16]", "Tex1=t0 MyTB=t11/3 tbuf1=t32..35 tbuf3=t36.. tbuf4=t1..16"),
    42: hlsl("a:t b:t@1,0 c:t@,2 d:t@2,3", "a=t0/1 b=t1 c=t0/2 d=t2/3", "--policy=option default-set=1"),
    44: legacy("Tex0:t[2]@1! Tex1:t[2]", "Tex0=t1 Tex1=t3..4", "Tex1=t0..1"),
    45: legacy("Tex0:t@0! Tex1:t", "Tex0=t0 Tex1=t1", "Tex1=t0"),
    46: hlsl("a:t b:t@,1 c:t d:t@,1", "a=t0 b=t0/1 c=t1 d=t1/1"),
    47: hlsl("t1:utexbuf@,3 t2:t@,3 t3:rossbo@,3 t4:rossbo@,3 t5:rossbo@,3 t6:rossbo@,3 b1:b@,1 b2:b@,1 s1:s@,2 "
             "u1:u@,4 "
             "u2:img@,4 u3:ssbo@,4 u4:rw@,4",
             "t1=t0/3 t2=t1/3 t3=t2/3 t4=t3/3 t5=t4/3 t6=t5/3 b1=b0/1 b2=b1/1 s1=s0/2 u1=u0/4 "
             "u2=u1/4 u3=u2/4 u4=u3/4"),
    49: two_sets_of_unbounded,
    50: shared("a:t@5 b:t@5", ['"a"', '"b"', "binding 5"]),
    "50b": error("a:t@5 b:utexbuf@5", ["SPB4001", '"a"', '"b"', "register(t5, space0)"], HLSL),
    51: lambda run: expect_registers(run.command([Module(
        "tx0:{t:t t2:t s:s}@0 tx1:{t:t t2:t s:s}@5 x3:t@3 s3:s@3")], HLSL)[1],
        "tx0.t=t0 tx0.t2=t1 tx0.s=s0 tx1.t=t5 tx1.t2=t6 tx1.s=s5 x3=t3 s3=s3"), # one number in SPIR-V, so s5 for s1
    # arrays whole, not element by element
    52: hlsl("x:{x:t s:s y:t}[2]@3 m:t@9", "x.x=t3..4 x.s=s3..4 x.y=t5..6 m=t9"),
    55: hlsl("a1:{Buf:u}@5 a2:{Buf:u}", "a1.Buf=u5 a2.Buf=u0"),
    56: hlsl("b1:{Bufs:u[10]}@2 b2:{Bufs:u[10]}", "b1.Bufs=u2..11 b2.Bufs=u12..21"), # whole, not in order of use
    57: hlsl("d:{Buf:u}[10]@5 e:{Buf:u}[50]", "d.Buf=u5..14 e.Buf=u15..64"),
    59: error("H:{Bufs:u[10] OneBuf:u}@4294967290", ["SPB4013", "H."], HLSL),
    60: hlsl("A:t@1 B:t C:t", "A=t1 B=t0 C=t2"),
    61: hlsl("A:t@2 B:t[4] C:t[2] E:t[5]", "A=t2 B=t3..6 C=t0..1 E=t7..11"),
    63: lambda run: (error("A:t[]@1 B:t[2] C:t", ["SPB4007", '"B"'], HLSL)(run),
                     hlsl("A:t[]@1 C:t", "A=t1.. C=t0")(run)),
    64: error("A:t@1 B:t[] C:t@5 D:t[4]", ["SPB4007", '"D"'], HLSL),
    "65b": lambda run: (hlsl("x:u@5 y:u", "x=u5 y=u0")(run), hlsl("x:u@5 y:u[100]", "x=u5 y=u6..105")(run)),
    "66b": lambda run: [hlsl("a:u@2,1 b:u@6,1 y:u[%d]@,1" % n, "a=u2/1 b=u6/1 y=u%d/1" % at)(run)
                        for n, at in ((4, 7), (3, 3), (2, 0), (11, 7))],
    68: lambda run: (hlsl("a:u@%d,3 b:u[]@,3" % (UMAX - 1), "a=u%d/3 b=u%d../3" % (UMAX - 1, UMAX))(run),
                     hlsl("b:u[]@,3", "b=u0../3")(run)),
    70: lambda run: (hlsl("A:t[]@5 B:t[3]@0 x:t[2]", "A=t5.. B=t0..2 x=t3..4")(run),
                     error("C:t[]@0,2 D:t@4,2", ["SPB4001", '"C"', '"D"'], HLSL)(run)),
    71: one_resource_in_three_modules,
    "53b": error("Many:{Array:u[4]}@0 JustOne:u@1 SecondOne:u", ["SPB4001", "JustOne", "Many.Array"], HLSL),
    72: numbers("s1:s! t1:t! t2:t! s2:s! cb:b! Buf:utexbuf! RWBuf:u! CBuf:b! SB:rossbo! RWSB:rw! App:append! "
                "Con:consume! "
                "c1:counter!~App c2:counter!~Con",
                "s1=0.0 t1=0.1 t2=0.2 s2=0.3 cb=0.4 Buf=0.5 RWBuf=0.6 CBuf=0.7 SB=0.8 RWSB=0.9 App=0.10 c1=0.11 "
                "Con=0.12 c2=0.13",
                DXC),
    73: numbers("s1:s! t1:t! cb:b! App:append! c1:counter!~App", "s1=77.0 t1=77.1 cb=77.2 App=77.3 c1=77.4", DXC,
                "--policy=option default-set=77"),
    74: numbers("s1:s@1 s2:s@2,1 t1:t@20,1 t2:t@10 s3:s s4:s cb:b@1,3 Buf:utexbuf@3 App:append@55 Con:consume@7 "
                "SB:rossbo@5 "
                "c1:counter~App c2:counter~Con", "s3=0.0 s4=0.2 c1=0.4 c2=0.6 App=0.55 Con=0.7", DXC),
    75: numbers("a:rw@1 b:rw@5,3 cb:counter@10,3~b A1:append@1,1 cA1:counter@20,1~A1 C1:consume cC1:counter@2~C1 "
                "A3:append@3,2 "
                "cA3:counter@,2~A3 C2:consume@,2 cC2:counter@,2~C2 C3:consume cC3:counter~C3 ca:counter~a",
                "cb=3.10 cA1=1.20 cC1=0.2 cA3=2.0 cC2=2.2 cC3=0.4 ca=0.5", DXC),
    77: numbers("b0:b@0 b0s2:b@0,2 t1s1:t@1,1 t1:t@1 u3s3:u@3,3 vk:t@9 c1:b c2:b",
                "b0=0.100 b0s2=2.200 t1s1=1.301 t1=0.401 u3s3=3.803 vk=0.42 c1=0.0 c2=0.1", DXC, "--shift=b:0=100",
                "--shift=b:2=200", "--shift=t:0=200", "--shift=t:0=400", "--shift=t:1=300", "--shift=s=500",
                "--shift=u=700", "--shift=u:3=800", "--place=vk=0.42"),
    78: numbers("b:b@0,2 t:t@1,1", "b=2.1000 t=1.2001", DXC, "--shift=b=1000", "--shift=t=2000"),
    80: numbers("T:t[5]@0 Next:t Another:t@5 S:s[2]", "T=0.0 Next=0.6 Another=0.5 S=0.7", FLAT),
    81: numbers("T:t[5] A:t@3 T2:t[2] S:s S2:s", "T=0.4 A=0.3 T2=0.0 S=0.2 S2=0.9", FLAT),
    82: overlap_is_said,
    83: numbers("globalS:{t:t s:s} tex:t samp:s sub:subpass", "globalS_t=0.0 globalS_s=0.1 tex=0.2 samp=0.3 sub=0.4",
                DXC, stage="Fragment"),
    85: numbers("g:{t:t[2] s:s[3]}[2] tex:t samp:s", "g_t=0.0 g_s=0.4 tex=0.10 samp=0.11", DXC),
    87: numbers("$Globals:b tex:t", "$Globals=2.1 tex=0.0", DXC, "--place=$Globals=2.1"),
    89: heaps("Texture:t", "Texture=0.0", ["tex", "smp"], "0.1", "0.2", DXC),
    90: heaps("", "", ["tex", "cube", "smp"], "0.0", "0.1", DXC),
    91: numbers("a:rw ca:counter~a ResourceDescriptorHeap:rw[]@99 counter.var.ResourceDescriptorHeap:counter[]@99",
                "a=0.0 ca=0.1 ResourceDescriptorHeap=0.2 counter.var.ResourceDescriptorHeap=0.3", DXC,
                "--auto-binding=99"),
    92: numbers("a:rw@3,4 ca:counter@,4~a ResourceDescriptorHeap:rw[]@99 "
                "counter.var.ResourceDescriptorHeap:counter[]@99",
                "a=4.3 ca=4.0 ResourceDescriptorHeap=0.0 counter.var.ResourceDescriptorHeap=0.1", DXC,
                "--auto-binding=99"),
    "94b": heaps("", "", ["tex", "smp"], "7.4", "7.5", "--heap=texture=7.4", "--heap=sampler=7.5", DXC),
    "94c": lambda run: run.command([Module("", handles=["tex", "smp"])], "--heap=texture=7.4", "--heap=sampler=7.4",
                                   expect=1),
    95: heaps("a:b", "a=0.0", ["tex"], "0.1", None, DXC),
    96: several_calls,
    97: numbers("Out:ssbo@10 cOut:counter~Out In:ssbo cIn:counter~In", "Out=0.10 cOut=0.0 In=0.1 cIn=0.2", LLVM),
    99: heaps("Buf:ssbo@1", "Buf=0.1", ["tex", "smp"], "0.0", "0.2", LLVM),
    100: unused_counts,
    102: both_unbounded,
    103: lambda run: (same(places(run, "A:t@0 B:t@2 s:{C:t D:t}", LLVM), "s_C=0.1 s_D=0.3"),
                      same(places(run, "A:t@0 B:t@2 s:{C:t D:t}", DXC), "s_C=0.3 s_D=0.4"),
                      hlsl("A:t@0 B:t@2 s:{C:t D:t}", "A=t0 B=t2 s.C=t1 s.D=t3")(run)),
}


def bind_registers(run):
    """Row 88, -fvk-bind-register: a line of a policy for each register."""
    policy = os.path.join(run.tmp, "registers.policy")
    with open(policy, "w") as f:
        f.write("place class=t register=5 set=0 -> set=2 binding=1\nplace class=s register=3 set=1 -> set=4 binding=3\n"
                "refuse -> say=\"no line places this register\"\n")
    for rules in ([], [HLSL]):
        same(places(run, "tex:t@5 smp:s@3,1", "--profile=" + policy, *rules), "tex=2.1 smp=4.3")
        error("tex:t@5 smp:s@3,1 other:t@7", ["SPB4018", '"other"', "no line places"], "--profile=" + policy,
              *rules)(run)


def constant_buffers_with_resources(run):
    """Row 86, with a difference: the resources of a cbuffer stay together after its data, where DXC hoists each
    separately."""
    got = places(run, "buf0:b@0 buf1:b@4 buf2:{t:t s:s} buf3:{s:s}@2", DXC)
    same(got, "buf0=0.0 buf1=0.4 buf2_t=0.5 buf2_s=0.6 buf3_s=0.2")


CASES[86] = constant_buffers_with_resources
CASES[88] = bind_registers


def cases(run):
    ids = {n for n, _ in rows()}
    for n in sorted(ids):
        if n in CASES and n in DIFFERENT or n not in CASES and n not in DIFFERENT:
            yield "peers %s" % n, lambda n=n: (_ for _ in ()).throw(
                Failure("row %d has neither case nor reason, or both" % n))
    for n, case in CASES.items():
        yield "hlsl-peers %s" % n, lambda c=case: c(run)
