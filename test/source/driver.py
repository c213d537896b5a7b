# SPDX-License-Identifier: Apache-2.0
"""Talks to test/source/driver.c, which reads texts as the library does."""
import subprocess

MODELS = {"vert": 0, "tesc": 1, "tese": 2, "geom": 3, "frag": 4, "comp": 5, "rgen": 5313, "rint": 5314, "rahit": 5315,
          "rchit": 5316, "rmiss": 5317, "rcall": 5318, "mesh": 5268, "task": 5267}
GLSLANG, SHADERC = 8, 13


class Driver:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, what, files, language="glsl", stage="frag", generator=GLSLANG, defines=()):
        """files: (name, bytes), the main one first. Returns lines, and why the text cannot be read or None."""
        request = b"text %s %d %d\n" % (language.encode(), MODELS[stage], generator)
        request += b"".join(b"define %s\n" % d.encode() for d in defines)
        for name, text in files:
            request += b"file %s %d\n%s" % (name.encode(), len(text), text)
        self.process.stdin.write(request + what.encode() + b"\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            line = line.decode(errors="replace").rstrip("\n")
            if line == "=end":
                return lines, None
            if line.startswith("=fails "):
                return lines, line[7:]
            lines.append(line)
        raise AssertionError("the driver ended with %s, reading %s:\n%s" %
                             (self.process.wait(), files[0][0], files[0][1][:2000].decode(errors="replace")))

    def tokens(self, files, **more):
        return self.ask("tokens", files, **more)

    def declarations(self, files, **more):
        return self.ask("declarations", files, **more)

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0, "the driver ended with %d" % self.process.returncode
