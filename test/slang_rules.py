# SPDX-License-Identifier: Apache-2.0
"""Rows of conformance/slang-binding.tsv under --rules=slang (binding, set). A row without a case must have its
reason in DIFFERENT."""
import os

from layout_rules import HERE, Failure
from module_text import Module

AUTO = "--auto-binding=65534"  # a sentinel, since stock glslang requires a number everywhere


def rows():
    with open(os.path.join(HERE, "conformance", "slang-binding.tsv")) as f:
        return [l.split("\t")[0] for l in f][1:]


# Not expressible in SPIR-V.
DIFFERENT = {
    "slang-51": "a loose uniform with a place: SPIR-V has no loose uniforms, they are members of a block before we see "
                "them",
}


def got(run, declarations, *options, **more):
    """(places, layout) of the one module."""
    places, layout = run.command([Module(declarations, **more)], *options)
    return places[0], layout


def expect(places, want):
    """want: 'a=(0,1)' as (binding, set), as the table writes it; every name must be there."""
    for word in want.split():
        name, at = word.split("=")
        binding, at_set = (int(n) for n in at.strip("()").split(","))
        if places.get(name) not in ((at_set, binding), [(at_set, binding)]):
            raise Failure("%s should be at binding %d, set %d: %s" % (name, binding, at_set, places))


def bindings(declarations, want, *options, heap_set=None, why=None, **more):
    def case(run):
        places, layout = got(run, declarations, *options, **more)
        expect(places, want)
        sets = {h["set"] for h in layout["heaps"]}
        if heap_set is not None and sets != {heap_set}:
            raise Failure("heaps are in %s" % sets)
        if why and why not in run.stderr:
            raise Failure(run.stderr)
    return case


def error(declarations, words, *options):
    def case(run):
        text = run.command([Module(declarations)], *options, expect=1)
        for word in words:
            if word not in text:
                raise Failure("%s is not in: %s" % (word, text))
    return case


def with_push(run):
    declarations = "cb:b@0,1 tex:t@1,2 tex2:t@2,3 ty:t sx:s sa:s[4] sy:s"
    want = "cb=(0,1) tex=(1,2) tex2=(2,3) ty=(0,0) sx=(1,0) sa=(2,0) sy=(3,0)"
    for more in ("", " pc:push"):
        places, layout = got(run, declarations + more, handles=["tex", "smp"])
        expect(places, want)
        if {h["set"] for h in layout["heaps"]} != {4}:
            raise Failure(layout["heaps"])
        if "pc" in places or bool(layout["pushConstants"]) != bool(more):
            raise Failure("a push constant uses no binding")


def blocks_with_a_push_constant(run):
    places, layout = got(run, "gData_a:rossbo gData_b:ssbo a:push", "--policy=block name=gData*")
    expect(places, "gData_a=(0,0) gData_b=(1,0)")
    if {s["set"] for s in layout["sets"]} != {0} or "a" in places:
        raise Failure(layout)


def shader_record(run):
    """Row 16: a shader record has neither set nor binding, as its storage class shows."""
    places, _ = got(run, "cb:b@1,1 rw:ssbo@2,1 tex:t@3,1 smp:s@4,1")
    expect(places, "cb=(1,1) rw=(2,1) tex=(3,1) smp=(4,1)")
    m = Module("cb:b@1,1 rec:record!", stage="RayGenerationKHR", uses=["cb"])
    m.capabilities.discard("Shader")
    places, layout = run.command([m])
    expect(places[0], "cb=(1,1)")
    if "rec" in places[0] or len(layout["sets"]) != 1:
        raise Failure("the shader record got a place: %s" % places)


def imports_come_last(run):
    """The seed: parameters of imported modules after the user's, whatever the order of the command line, and even if
    the user's module has them, too."""
    library = os.path.join(run.tmp, "library.spv")
    Module("lib:t shared:t").write(library)
    places, _ = run.command([Module("shared:t own:t")], "--import=" + library)
    expect(places[0], "own=(0,0) shared=(2,0)")
    expect(places[1], "lib=(1,0) shared=(2,0)")


CASES = {
    "slang-1": bindings("outBuf:ssbo", "outBuf=(0,0)"),
    "slang-2": bindings("inBuf:rossbo outBuf:ssbo", "inBuf=(0,0) outBuf=(1,0)"),
    "slang-4": bindings("outBuf:ssbo@7,1", "outBuf=(7,1)"),
    "slang-5": bindings("autoBuf:ssbo pinned:ssbo@0,0", "autoBuf=(1,0) pinned=(0,0)"),
    "slang-7": with_push,
    "slang-8": with_push,
    "slang-10": bindings("a:{tex:t smp:s} b:t", "a_tex=(0,1) a_smp=(1,1) b=(0,0)", "--policy=block name=a",
                         handles=["tex", "smp"], heap_set=2),
    "slang-11": bindings("gTest_tex:t gTest_s:s gTest:b", "gTest=(0,0) gTest_tex=(1,0) gTest_s=(2,0)",
                         "--policy=block name=gTest*"),
    "slang-13": bindings("a:ssbo b:b", "a=(0,0) b=(0,1)", "--policy=block name=a", "--policy=block name=b"),
    "slang-14": bindings("x:push y:ssbo", "y=(0,0)", "--policy=block name=y"),
    "slang-15": blocks_with_a_push_constant,
    "slang-16": shader_record,
    "slang-17": bindings("b:ssbo@3,4", "b=(3,4)"),
    "slang-19": bindings("gData:ssbo explicitB:ssbo@3,2 implicitC:ssbo", "gData=(0,0) explicitB=(3,2) implicitC=(1,0)"),
    "slang-20": bindings("explicitB:ssbo@3,2 entryPointParams:push", "explicitB=(3,2)"),
    "slang-21": bindings("tex:t[3]@2 after:t@5", "tex=(2,0) after=(5,0)"),
    "slang-23": bindings("tex:t@1 samp:s@2 bab:rossbo@3 outBuf:ssbo", "tex=(1,0) samp=(2,0) bab=(3,0) outBuf=(0,0)"),
    "slang-24": bindings("block:rossbo output:ssbo", "block=(0,1) output=(0,0)", "--policy=block name=block",
                         handles=["tex"], heap_set=2),
    "slang-26": lambda run: (
        bindings("b1:ssbo b2:ssbo p1:b", "b1=(0,0) b2=(1,0) p1=(0,1)", "--policy=block name=p1", handles=["tex"],
                 heap_set=2)(run),
        bindings("b1:ssbo b2:ssbo p1:b p2:b!", "p2=(0,2)", "--policy=block name=p1", "--policy=block name=p2",
                 handles=["tex"], heap_set=3)(run)),
    "slang-27": bindings("b1:ssbo b2:ssbo", "b1=(0,0) b2=(1,0)", handles=["tex"], heap_set=1),
    "slang-28": bindings("b:ssbo@0,2", "b=(0,2)", handles=["tex"], heap_set=0),
    "slang-30": bindings("outBuf:ssbo@0,0", "outBuf=(0,0)", "--heap-set=5", handles=["tex"], heap_set=5),
    "slang-32": bindings("sub:subpass@7,3", "sub=(7,3)", "--heap-set=0", handles=["tex"], heap_set=0, stage="Fragment"),
    "slang-33": bindings("out:append c:counter~out in:ssbo", "out=(0,0) c=(1,0) in=(2,0)"),
    "slang-35": bindings("dyn:t[]@0,1 dynCube:cube[]@0,1 samplers:s[]@2,1 x:t@0,2 y:t@1,2 z:t@2,2",
                         "dyn=(0,1) dynCube=(0,1) samplers=(2,1) x=(0,2) y=(1,2) z=(2,2)"),
    "slang-36": bindings("dyn:t rw:ssbo", "dyn=(0,0) rw=(1,0)"),
    "slang-37": bindings("tex:t samp:s c:b tex2:t u:ssbo u2:ssbo",
                         "tex=(10,0) samp=(100,0) c=(0,0) tex2=(11,0) u=(1000,0) u2=(1001,0)",
                         "--shift=t=10", "--shift=s=100", "--shift=b=0", "--shift=u=1000"),
    "slang-39": bindings("tex:t samp:s sbuf:rossbo outp:ssbo cb:b",
                         "tex=(100,0) sbuf=(101,0) samp=(200,0) cb=(300,0) outp=(400,0)", "--shift=t=100",
                         "--shift=s=200", "--shift=b=300", "--shift=u=400"),
    "slang-40": bindings("globals:b cbuf:b", "globals=(14,0) cbuf=(15,0)", "--shift=b=14"),
    "slang-41": bindings("a:ssbo b:u", "a=(158,0) b=(159,0)", "--shift=u=158"),
    "slang-43": bindings("globals:b tex:t samp:s", "globals=(5,9) tex=(0,0) samp=(1,0)", "--place=globals=9.5"),
    "slang-44": lambda run: (bindings("globals:b", "globals=(7,3)", "--place=globals=3.7")(run),
                             bindings("globals:b", "globals=(0,0)")(run)),
    # no registers in SPIR-V to be ignored
    "slang-46": bindings("t0:comb t1:comb", "t0=(0,0) t1=(1,0)", "--shift=t=10"),
    "slang-47": bindings("g:{tex:t rw:u}[2] gUniform:b", "g_tex=(10,0) g_rw=(100,0) gUniform=(1000,0)", "--shift=t=10",
                         "--shift=u=100", "--shift=b=1000"),
    "slang-48": error("c:b@2 x:t@0 u:ssbo@11 y:t[6]@6", ["SPB4001", '"x"', '"c"', "set 0, binding 5"], "--rules=hlsl",
                      "--shift=t=5", "--shift=b=3", "--shift=u:1=0"),
    "slang-50": error("block:b@2,1", ["SPB4014", '"block"', "set 1, binding 2", "set 1, binding 0"],
                      "--policy=block name=block"),
    "slang-52": bindings("block:b", "block=(0,0)", "--policy=block name=block"),
    "slang-54": bindings("buffers:ssbo[]@0,0 out:ssbo@0,1 coverage:ssbo", "buffers=(0,0) out=(0,1) coverage=(0,2)",
                         "--policy=block name=coverage"),
    "slang-55": bindings("outp:ssbo pc:push pb:b", "outp=(0,0) pb=(0,1)", "--policy=block name=pb"),
    "imports": imports_come_last,
}


def cases(run):
    for n in rows():
        if (n in CASES) == (n in DIFFERENT):
            yield "slang %s" % n, lambda n=n: (_ for _ in ()).throw(
                Failure("row %s has neither case nor reason, or both" % n))
    for n, case in CASES.items():
        yield "slang-binding %s" % n, lambda c=case: c(run)
