# SPDX-License-Identifier: Apache-2.0
"""Many programs that share descriptor sets and a lock, bound as actions of some hundred programs each.

    collect 1 ... collect N         the facts that shared numbers depend on; needs no lock
              decide                one lock and the layout of the shared sets
    bind 1    ... bind N            each part with its lines of the lock

The only inputs of an action are its programs, so it can run in a sandbox or on another machine, and its result can come
from a cache: after an edit of one shader, its part is collected and bound again, and other parts only if the lines of
the lock that they depend on have changed. (docs/build-farms.md)
"""

def _word(text):
    """Quotes a word for a manifest."""
    if not text or any([c in text for c in [" ", "\t", "#", '"']]):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return text

def _base_of(name, programs):
    """The base program of a variant. Families stay in one part."""
    for _ in range(64):
        bases = [w[len("variant-of="):] for w in programs[name] if w.startswith("variant-of=")]
        if not bases:
            return name
        if bases[0] not in programs:
            fail("%s: there is no program %s" % (name, bases[0]))
        name = bases[0]
    fail("%s is a variant of itself" % name)

def _line(name, words, files, up):
    """The line of a program. Inputs are relative to the root of the build; outputs keep their names."""
    line = ["program", _word(name + ":")]
    for word in words:
        if word.startswith("-") or word.startswith("variant-of="):
            line.append(_word(word))
        elif word in files:
            line += [_word(up + files[word].path), "-o", _word(word)]
        else:
            fail("program %s: %s is not among the modules" % (name, word))
    return " ".join(line)

def _manifest(ctx, suffix, names, files):
    out = ctx.actions.declare_file(ctx.label.name + suffix + ".manifest")
    up = "../" * (out.dirname.count("/") + 1)
    lines = ["options " + " ".join([_word(o) for o in ctx.attr.options])] if ctx.attr.options else []
    lines += ["share " + s for s in ctx.attr.share]
    lines += [_line(n, ctx.attr.programs[n], files, up) for n in names]
    ctx.actions.write(out, "\n".join(lines) + "\n")
    return out

def _parts(ctx):
    """The names of each part. A program stays in its part when others are added or removed."""
    parts = [[] for _ in range(ctx.attr.parts)]
    for name in ctx.attr.programs:
        number = hash(_base_of(name, ctx.attr.programs))
        parts[(number if number >= 0 else -number) % len(parts)].append(name)
    return parts

def _collect(ctx, k, names, files):
    """The facts of a part that shared numbers depend on."""
    words = {w: None for n in names for w in ctx.attr.programs[n] if w in files}
    part = struct(
        k = k,
        count = len(names),
        manifest = _manifest(ctx, ".%d" % k, names, files),
        modules = [files[w] for w in words],
        collected = ctx.actions.declare_file("%s.%d.collected" % (ctx.label.name, k)),
    )
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = ["collect", "-m", part.manifest.path, "-o", part.collected.path, "-j1"],
        inputs = part.modules + [part.manifest],
        outputs = [part.collected],
        mnemonic = "SpirvCollect",
        progress_message = "Collecting facts of %d programs, part %d" % (part.count, k),
    )
    return part

def _decide(ctx, parts, files):
    """Makes the lock and the layout of the shared sets."""
    manifest = _manifest(ctx, "", ctx.attr.programs.keys(), files)
    lock = ctx.actions.declare_file(ctx.label.name + ".lock")
    layout = ctx.actions.declare_file(ctx.label.name + ".shared.json")
    collected = [part.collected for part in parts]
    old = [ctx.file.lock] if ctx.file.lock else []
    ctx.actions.run_shell(
        command = ('cat "$4" > "$3" && ' if old else "") +
                  '"$1" decide -m "$2" "${@:6}" --lock="$3" --layout-json="$5" -q',
        arguments = [ctx.executable.tool.path, manifest.path, lock.path, old[0].path if old else "", layout.path] +
                    [f.path for f in collected],
        inputs = collected + [manifest] + old,
        outputs = [lock, layout],
        tools = [ctx.executable.tool],
        mnemonic = "SpirvDecide",
        progress_message = "Deciding the numbers of %d programs" % len(ctx.attr.programs),
    )
    return lock, layout

def _bind(ctx, part, lock):
    """Binds the modules of a part, which depends only on its part of the lock, not on the lines of other programs."""
    own = ctx.actions.declare_file("%s.%d.lock" % (ctx.label.name, part.k))
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = ["lock", "part", "-m", part.manifest.path, "--lock=" + lock.path, "-o", own.path],
        inputs = [part.manifest, lock],
        outputs = [own],
        mnemonic = "SpirvPartLock",
    )
    out = ctx.actions.declare_directory("%s.%d" % (ctx.label.name, part.k))
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = [
            "-m",
            part.manifest.path,
            "--programs=*", # other programs are in other parts
            "--lock=" + own.path,
            "--locked",
            "--out-dir=" + out.path,
            "-j1",
        ],
        inputs = part.modules + [part.manifest, own],
        outputs = [out],
        mnemonic = "SpirvBind",
        progress_message = "Binding %d programs, part %d" % (part.count, part.k),
    )
    return out

def _impl(ctx):
    files, package = {}, ctx.label.package + "/" if ctx.label.package else ""
    for f in ctx.files.modules:
        files[f.short_path[len(package):]] = f
    parts = [_collect(ctx, k, names, files) for k, names in enumerate(_parts(ctx)) if names]
    lock, layout = _decide(ctx, parts, files)
    return [
        DefaultInfo(files = depset([_bind(ctx, part, lock) for part in parts] + [layout])),
        OutputGroupInfo(lock = depset([lock])), # --output_groups=+lock: for checking in
    ]

spirv_bind_programs = rule(
    implementation = _impl,
    attrs = {
        "programs": attr.string_list_dict(mandatory = True, doc = "For each program, its words in a manifest."),
        "modules": attr.label_list(mandatory = True, allow_files = [".spv"], doc = "All modules of the programs."),
        "options": attr.string_list(doc = "Options of all programs."),
        "share": attr.string_list(doc = 'As in a manifest: "set=0", "set=1 programs=material.*".'),
        "lock": attr.label(allow_single_file = True, doc = "The checked-in lock; by default, an empty one."),
        "parts": attr.int(default = 1, doc = "Number of parts; 500 to 1,000 programs each."),
        "tool": attr.label(default = "//:bin/spirv-bind", allow_single_file = True, executable = True, cfg = "exec"),
    },
)
