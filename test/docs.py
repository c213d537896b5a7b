#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of README and docs print what the pages show, and the targets of links and comments exist.

    docs.py run   --bind B [--only README]                             the blocks of each document, in order
            --update                                                   updates the printed text in the documents
    docs.py links                                                      relative links and anchors; files that texts name

Blocks of a document run in order, in one scratch copy of spirv-fixtures and include, with spirv-bind in PATH; ./app is
test/vulkan/layer/application.c:

    ```sh               is run by bash; it fails when a command fails
    ```sh not-run       is not run; such blocks are counted, and the text says what they need
    ```text             directly after an sh block: what that block prints, exactly; a line `...` stands for any lines
    <!-- file: N -->    directly before any block: the block is the file N; C files are compiled, too
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COPIED = ["include"]  # and the folders of spirv-fixtures that a document names
NOT_OURS = (".git", "build", "__pycache__", ".cache")


class Failure(Exception):
    pass


def read(path):
    with open(path, errors="replace") as f:
        return f.read()


def files():
    for base, folders, names in os.walk(ROOT):
        folders[:] = sorted(d for d in folders if d not in NOT_OURS and not d.startswith("build"))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(base, name), ROOT)


def documents():
    return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "src/README.md", "test/README.md"] + sorted(
        p for p in files() if p.startswith("docs/") and p.endswith(".md"))


# run

def blocks(text):
    """(line, language words, content, name of the file that it is) of each fenced block"""
    found, name, lines, i = [], None, text.splitlines(), 0
    while i < len(lines):
        fence = re.match(r"(`{3,})(.*)", lines[i])
        file = re.fullmatch(r"<!-- file: (\S+) -->", lines[i])
        if fence:
            start = i + 1
            i = start
            while lines[i] != fence[1]:
                i += 1
            found.append((start, fence[2].split(), "\n".join(lines[start:i]) + "\n", name))
        name = file[1] if file else None if lines[i].strip() else name
        i += 1
    return found


def matches(wanted, got):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\s*?\n" for line in wanted.splitlines())
    return re.fullmatch(pattern, got if got.endswith("\n") or not got else got + "\n") is not None


def run_document(args, path, tmp):
    """The number of blocks that were run, compared, and left out."""
    folder = os.path.join(tmp, path.replace("/", "-"))
    os.makedirs(folder)
    text = read(os.path.join(ROOT, path))
    runs = any(words[:1] == ["sh"] for _, words, _, _ in blocks(text))
    named = sorted(set(re.findall(r"spirv-fixtures/[\w-]+", text)))
    for name in COPIED + [n for n in named if os.path.isdir(os.path.join(ROOT, n))] if runs else []:
        shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))
    kept = os.environ.get("SPB_KEPT_COMPILERS")  # test/kept_compiler.c
    paths = [os.path.dirname(os.path.abspath(args.bind)), *([kept] if kept else []), os.environ["PATH"]]
    environment = dict(os.environ, PATH=os.pathsep.join(paths), VK_LAYER_PATH=os.path.join(paths[0], "layer"),
                       NODEVICE_SELECT="1")  # without Mesa's own layer
    app = os.path.join(paths[0], "test", "vulkan", "vulkan_layer")
    if "./app" in text and os.path.exists(app):
        os.symlink(app, os.path.join(folder, "app"))
    ran = compared = left = 0
    printed = None
    for line, words, content, name in blocks(text):
        where = "%s:%d" % (path, line)
        if name:
            with open(os.path.join(folder, name), "w") as f:
                f.write(content)
            if name.endswith(".c"):
                compile_c(where, os.path.join(folder, name))
        if words == ["sh"]:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", content], cwd=folder, env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
            printed = done.stdout
            if done.returncode:
                raise Failure("%s: exit status %d\n%s%s" % (where, done.returncode, content, printed))
            ran += 1
            continue
        if words == ["text"] and printed is not None:
            if args.update and not matches(content, printed):
                update(path, content, printed)
            elif not matches(content, printed):
                raise Failure("%s: the document says\n%sbut it prints\n%s" % (where, content, printed))
            compared += 1
        elif words[:1] == ["sh"]:
            if words[1:] != ["not-run"]:
                raise Failure("%s: an sh block is run, or says not-run" % where)
            left += 1
        printed = None
    return ran, compared, left


def update(path, content, printed):
    text = read(os.path.join(ROOT, path))
    assert text.count("```text\n" + content + "```") == 1, "%s has this output twice:\n%s" % (path, content)
    with open(os.path.join(ROOT, path), "w") as f:
        f.write(text.replace("```text\n" + content + "```", "```text\n" + printed + "```"))


def compile_c(where, path):
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I" + os.path.join(ROOT, "include"),
               "-I" + os.path.join(ROOT, "src"), path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure("%s: %s\n%s" % (where, " ".join(command), done.stderr))


def run(args):
    total, failed = [0, 0, 0], 0
    with tempfile.TemporaryDirectory() as tmp:
        for path in documents():
            if args.only not in path:
                continue
            try:
                counts = run_document(args, path, tmp)
                total = [a + b for a, b in zip(total, counts)]
                if path == "README.md" and counts[0] < 4:
                    raise Failure("README.md: its recipes are not run: %d blocks" % counts[0])
            except Failure as e:
                failed += 1
                print("FAILED %s" % e)
    print("%d blocks ran, %d outputs compared, %d blocks are not to be run, %d documents failed" % (*total, failed))
    if not total[0] or (not args.only and not total[1]):
        failed += 1
        print("FAILED: no blocks found")
    sys.exit(1 if failed else 0)


# links

def slugs(text):
    """Anchors of headings: lower case, hyphens for spaces, no punctuation."""
    found = {}
    text = re.sub(r"(?ms)^(```+).*?^\1$", "", text)
    for heading in re.findall(r"(?m)^#+ +(.*?) *$", text):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
        if found[slug]:
            found["%s-%d" % (slug, found[slug])] = 0
    return set(found)


def links_of(text):
    text = re.sub(r"(?ms)^(```+).*?^\1$", "", text)
    text = re.sub(r"`[^`]*`", "", text)
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)


def broken_links(path):
    text = read(os.path.join(ROOT, path))
    for link in links_of(text):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        full = os.path.normpath(os.path.join(ROOT, os.path.dirname(path), target)) if target else os.path.join(ROOT,
                                                                                                               path)
        if not os.path.exists(full):
            yield "%s: there is no %s" % (path, link)
        elif anchor and anchor not in slugs(read(full)):
            yield "%s: %s has no heading for #%s" % (path, target or path, anchor)


def broken_tables(path):
    """Rows without a head, such as those behind a blank line within a table."""
    text = re.sub(r"(?ms)^ *```.*?^ *```$", "", read(os.path.join(ROOT, path)))
    for row in re.findall(r"(?m)(?<=\n\n)(\|.*)\n(?!\|[-:| ]+\|$)", text):
        yield "%s: a table without a head begins with %s" % (path, row)


# Foreign files that comments mention, and placeholder names.
FOREIGN = {"spirv.h", "setjmp.h", "jansson.h", "vulkan.h", "stdint.h", "string.h", "stdlib.h", "math.h", "time.h",
           "spirv.core.grammar.json",
           "Python.h", "cmocka.h", "NonSemanticShaderDebugInfo100.h", "opencl.debuginfo.100.h", "libspirv.h", "push.h",
           "material.h", "lit.h", "mesh.h", "shared.h", "NAME.c", "modules.tsv"}
CHECKED = (".c", ".h", ".inc", ".py", ".sh", ".txt", ".md", ".glsl")
NAMES = re.compile(r"(?<![\w./*<$\"-])((?:[\w-]+/)*[\w-]+\.(?:md|c|h|inc|py|sh|tsv|cpp))(?![\w/*(-]|\.\w)")


def comments(path, text):
    """The prose of a file: all of a document, or the comments of code."""
    if path.endswith((".md", ".txt")):
        return text
    if path.endswith((".py", ".sh")):
        return "\n".join(re.findall(r'(?s)"""(.*?)"""', text) + re.findall(r"(?m)(?:^|\s)#(?!!)(.*)$", text))
    return "\n".join(re.findall(r"(?s)/\*.*?\*/", text))


def missing_names(path, everything):
    base = os.path.dirname(path)
    names = {os.path.basename(p) for p in everything}
    shown = {name for _, _, _, name in blocks(read(os.path.join(ROOT, path)))} if path.endswith(".md") else set()
    for name in NAMES.findall(comments(path, read(os.path.join(ROOT, path)))):
        if os.path.basename(name) in FOREIGN or name in shown or name in names:
            continue
        if any(os.path.normpath(os.path.join(b, name)) in everything for b in (base, "", "src", "test", "src/pass",
                                                                               "docs", "examples")):
            continue
        yield "%s names %s, which is not there" % (path, name)


def links(args):
    everything = set(files())
    faults = [fault for path in documents() for fault in [*broken_links(path), *broken_tables(path)]]
    checked = [p for p in everything if p.endswith(CHECKED)
               and p.split("/")[0] in ("src", "include", "test", "scripts", "docs", "README.md",
                                                                                 "CONTRIBUTING.md")]
    for path in sorted(checked):
        faults += missing_names(path, everything)
    print("\n".join(faults))
    if len(read(os.path.join(ROOT, "README.md")).splitlines()) > 150:
        faults.append("README.md has more than 150 lines; details belong into docs")
    count = sum(len(links_of(read(os.path.join(ROOT, p)))) for p in documents())
    print("%d links in %d documents, %d files, %d faults" % (count, len(documents()), len(checked), len(faults)))
    sys.exit(1 if faults or not count else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["run", "links"])
    parser.add_argument("--bind")
    parser.add_argument("--only", default="")
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    (run if args.what == "run" else links)(args)


if __name__ == "__main__":
    main()
