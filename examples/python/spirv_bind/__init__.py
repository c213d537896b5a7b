# SPDX-License-Identifier: Apache-2.0
"""Python bindings for spirv-bind, through the plug-in interface of the shared library (spirv-bind/plugin.h).

    job = spirv_bind.Job(auto_binding=65534, profile=["engine.policy"], read=read)
    job.add("lit.frag", module)
    job.key()                       # of a cache: the tool, the options, all contents
    (bound,) = job.run()
    job.layout(), job.dependencies()

mode="check" reports what binding would change, and mode="lint" missing decorations; run() raises Error if there are
any.

Options are keyword arguments: `_` for `-`, True for a switch, a list for an option that may be given several times.
read(path) returns the bytes of a file, or None; without it, files are read from the file system. compile(path, source,
is_resolver) compiles a file that is not SPIR-V, such as a resolver in GLSL: it returns the module and the names of the
included files, or raises Error. compile_glsl does this with glslangValidator."""
import ctypes
import json
import os
import subprocess
import tempfile

_Read = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p),
                         ctypes.POINTER(ctypes.c_size_t))
_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class _Message(ctypes.Structure):  # the fields used here
    _fields_ = [("struct_size", ctypes.c_uint32), ("severity", ctypes.c_int), ("code", ctypes.c_uint32),
                ("module", ctypes.c_char_p), ("pass_", ctypes.c_char_p), ("text", ctypes.c_char_p)]


_Say = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Message))


class _Compiled(ctypes.Structure):
    _fields_ = [("words", ctypes.c_void_p), ("size", ctypes.c_size_t), ("files", ctypes.POINTER(ctypes.c_char_p)),
                ("file_count", ctypes.c_uint32)]


_Compile = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t,
                            ctypes.c_bool, ctypes.POINTER(_Compiled))


class _Host(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("user", ctypes.c_void_p), ("read", _Read), ("release", _Release),
                ("message", _Say), ("allocator", ctypes.c_void_p), ("compile", _Compile)]


def _function(result, *arguments):
    return ctypes.CFUNCTYPE(result, *arguments)


_job, _size = ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)


class _Plugin(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("version", ctypes.c_uint32),
                ("name", _function(ctypes.c_char_p, ctypes.c_int, ctypes.c_uint32)),
                ("create", _function(ctypes.c_int, ctypes.POINTER(_Host), ctypes.POINTER(_job))),
                ("destroy", _function(None, _job)),
                ("set", _function(ctypes.c_int, _job, ctypes.c_char_p, ctypes.c_char_p)),
                ("add", _function(ctypes.c_int, _job, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t,
                                  ctypes.c_uint32)),
                ("add_file", _function(ctypes.c_int, _job, ctypes.c_char_p, ctypes.c_uint32)),
                ("key", _function(ctypes.c_char_p, _job)), ("run", _function(ctypes.c_int, _job)),
                ("dependency", _function(ctypes.c_char_p, _job, ctypes.c_uint32)),
                ("module", _function(ctypes.c_void_p, _job, ctypes.c_size_t, _size)),
                ("text", _function(ctypes.c_char_p, _job, ctypes.c_int, ctypes.c_char_p, _size)),
                ("program", _function(ctypes.c_void_p, _job))]


# From spirv_bind.h.
_NAME_TOOL, _NAME_OPTION = 1, 3
_ADD_IMPORT = 1
_TEXTS = {"json": 0, "header": 1, "glsl": 2, "report": 3, "lock": 4, "facts": 5}


class Error(Exception):
    """The messages to the host, and the spb_status."""

    def __init__(self, status, messages):
        super().__init__("; ".join(messages) or "spirv-bind: error %d" % status)
        self.status, self.messages = status, messages


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    names = [os.path.join(here, name) for name in ("libspirv-bind.so", "libspirv-bind.dylib", "spirv-bind.dll")]
    path = os.environ.get("SPIRV_BIND_LIBRARY") or next(filter(os.path.exists, names), "libspirv-bind.so.0.1")
    get = ctypes.CDLL(path).spb_plugin_get
    get.argtypes, get.restype = [ctypes.c_uint32], ctypes.POINTER(_Plugin)
    table = get(1)
    if not table:
        raise ImportError("%s has no plug-in entry of version 1" % path)
    return table.contents


_plugin = _load()


def _listed(function, *arguments):
    i, found = 0, []
    while (name := function(*arguments, i)) is not None:
        found.append(os.fsdecode(name))
        i += 1
    return found


def tool():
    """The versions of spirv-bind, SPIRV-Tools and the SPIR-V grammar."""
    return _listed(_plugin.name, _NAME_TOOL)


def options():
    return _listed(_plugin.name, _NAME_OPTION)


def _read_system(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError:
        return None


def compile_glsl(path, source, is_resolver, options=("--target-env", "vulkan1.1")):
    """Compiles with glslangValidator. The suffix names the stage. --amb assigns placeholder numbers where the source
    has none; a resolver has no main, so one is appended."""
    with tempfile.TemporaryDirectory() as folder:
        name, where, words = path, None, ["--amb", "-I" + (os.path.dirname(path) or ".")]
        if is_resolver:  # relative, so that the module does not name the temporary folder
            name, where = os.path.basename(path), folder
            words = ["-S", "comp", "--keep-uncalled", "-I" + os.path.dirname(os.path.abspath(path))]
            with open(os.path.join(folder, name), "wb") as f:
                f.write(source + b"\nvoid main() {}\n")
        out, depfile = os.path.join(folder, "out.spv"), os.path.join(folder, "out.d")
        done = subprocess.run(["glslangValidator", "-V", "-g", "--quiet", *options, *words, "--depfile", depfile,
                               "-o", out, name], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise Error(done.returncode, [done.stdout.decode(errors="replace").strip()])
        with open(out, "rb") as f, open(depfile) as d:
            read = d.read().partition(": ")[2].replace("\\\n", " ").split()  # assumes names without spaces
            return f.read(), [file for file in read if file != name]


class Job:
    """One program: modules that share a pipeline layout."""

    def __init__(self, read=_read_system, compile=None, **settings):
        self.messages, self._count, self._lent, self._job = [], 0, {}, _job()
        self._read, self._compile, self._files = read, compile, None
        self._host = _Host(ctypes.sizeof(_Host), None, _Read(self._give), _Release(self._take), _Say(self._say), None,
                           _Compile(self._make) if compile else _Compile())
        self._check(_plugin.create(ctypes.byref(self._host), ctypes.byref(self._job)))
        for name, values in settings.items():
            for value in values if isinstance(values, (list, tuple)) else [values]:
                value = str(int(value)) if isinstance(value, bool) else str(value)
                self._check(_plugin.set(self._job, name.replace("_", "-").encode(), os.fsencode(value)))

    def __del__(self):
        _plugin.destroy(self._job)

    def _give(self, _, path, to, size):
        data = self._read(os.fsdecode(path))
        if data is None:
            return False
        to[0], size[0] = self._lend(data), len(data)
        return True

    def _lend(self, data):
        buffer = ctypes.create_string_buffer(data, len(data) + 1)
        self._lent[ctypes.addressof(buffer)] = buffer
        return ctypes.addressof(buffer)

    def _make(self, _, path, source, size, is_resolver, to):
        try:
            data, files = self._compile(os.fsdecode(path), ctypes.string_at(source, size), is_resolver)
        except Error as e:
            self.messages += e.messages
            return False
        self._files = (ctypes.c_char_p * len(files))(*map(os.fsencode, files))
        to[0].words, to[0].size, to[0].files, to[0].file_count = self._lend(data), len(data), self._files, len(files)
        return True

    def _take(self, _, data, size):
        self._lent.pop(data, None)

    def _say(self, _, message):
        self.messages.append("%s: %s" % (message[0].module.decode(), message[0].text.decode()))

    def _check(self, status):
        if status:
            raise Error(status, self.messages)

    def add(self, name, module, is_import=False):
        flags = _ADD_IMPORT if is_import else 0
        self._check(_plugin.add(self._job, os.fsencode(name), bytes(module), len(module) // 4, flags))
        self._count += 1

    def add_file(self, path, is_import=False):
        self._check(_plugin.add_file(self._job, os.fsencode(path), _ADD_IMPORT if is_import else 0))
        self._count += 1

    def key(self):
        key = _plugin.key(self._job)
        if key is None:
            raise Error(-1, self.messages)
        return key.decode()

    def run(self):
        """The modules as bytes, in the order in which they were added."""
        self._check(_plugin.run(self._job))
        count = ctypes.c_size_t()
        return [ctypes.string_at(_plugin.module(self._job, i, ctypes.byref(count)), 4 * count.value)
                for i in range(self._count)]

    def dependencies(self):
        return _listed(_plugin.dependency, self._job)

    def text(self, kind, argument=None):
        """json, header, glsl, report, lock, or facts; argument: the prefix of a header, or an older JSON for a
        report."""
        text = _plugin.text(self._job, _TEXTS[kind], argument and argument.encode(), None)
        if text is None:
            raise Error(-1, self.messages)
        return text.decode()

    def layout(self):
        return json.loads(self.text("json"))

    def lock(self):
        return self.text("lock")
