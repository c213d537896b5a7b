# SPDX-License-Identifier: Apache-2.0
"""The command under valgrind: reads of uninitialised memory, which neither AddressSanitizer nor UBSan detects.

    memcheck.py [--every N]    with SPB_IN_PROCESS, as ctest sets it

Every Nth golden fixture is bound with its options by the release build, in one process of valgrind; the outputs must
equal those without valgrind. A process that does read such memory must be detected.
"""
import argparse
import os
import tempfile

import fixtures
from running import FIXTURES, InProcess, read, summary

SEEN = 9  # exit status
VALGRIND = ["valgrind", "-q", "--error-exitcode=%d" % SEEN, "--leak-check=no"]


class Valgrind:
    def __init__(self, driver, folder):
        self.log, self.told = os.path.join(folder, "valgrind.log"), 0
        self.process = InProcess(*VALGRIND, "--log-file=" + self.log, driver)

    def run(self, command, folder):
        """The exit status, and valgrind's messages."""
        done = self.process.run(command, b"", folder)
        said = read(self.log)[self.told:]
        self.told += len(said)
        return done.returncode, said.decode(errors="replace")


def would_be_seen(valgrind, folder):
    """The last request of the process."""
    _, said = valgrind.run(["uninitialised-read"], folder)
    valgrind.process.process.communicate()
    return valgrind.process.process.returncode == SEEN and "uninitialised" in said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bind", required=True)
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    driver = os.environ["SPB_IN_PROCESS"]
    passed, failed = 0, 0
    plain = InProcess(driver)
    with tempfile.TemporaryDirectory() as tmp:
        memcheck = Valgrind(driver, tmp)
        given, out, wanted = (os.path.join(tmp, name) for name in ("given.spv", "out.spv", "wanted.spv"))
        for _, path in list(fixtures.fixtures())[::args.every]:
            fields = fixtures.header(path)
            fixtures.assemble(path, fields["version"], given)
            command = ["spirv-bind", "--validate=none", *fixtures.options_of(fields), given, "-o"]
            status, said = memcheck.run([*command, out], tmp)
            same = plain.run([*command, wanted], b"", tmp)
            if status != same.returncode or said:
                failed += 1
                print("FAILED %s: exit %d, %d without valgrind\n%s" % (os.path.relpath(path, FIXTURES), status,
                                                                      same.returncode, said))
                continue
            if not status and read(out) != read(wanted):
                failed += 1
                print("FAILED %s: another module than without valgrind" % os.path.relpath(path, FIXTURES))
                continue
            passed += 1
        if not would_be_seen(memcheck, tmp):
            failed += 1
            print("FAILED: a read of what was never written goes unnoticed")
    summary(passed, failed)


if __name__ == "__main__":
    main()
