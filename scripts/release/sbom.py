#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bill of materials of a release, in SPDX 2.3: each of its files with a digest, and the libraries linked into them.

    sbom.py --version VERSION --time SECONDS FOLDER     prints it; FOLDER has the files; SECONDS: SOURCE_DATE_EPOCH

The libraries are those of the Debian packages on this machine, with their versions."""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time

# Debian package, kind of link, licence, and the files of the release that are linked with it.
SPIRV_TOOLS = ("spirv-tools", "Apache-2.0")
JANSSON = ("libjansson-dev", "MIT")
LIBC = ("libc6-dev", "LGPL-2.1-or-later")
CXX = ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1")
LINKED = [
    (r"-linux-.*\.tar\.gz$", "STATIC_LINK", (SPIRV_TOOLS, JANSSON, LIBC, CXX)),
    (r"^libspirv-bind[0-9.]+_.*\.deb$", "STATIC_LINK", (SPIRV_TOOLS,)),
    (r"^libspirv-bind[0-9.]+_.*\.deb$", "DYNAMIC_LINK", (LIBC, CXX)),
    (r"^spirv-bind_.*\.deb$", "DYNAMIC_LINK", (JANSSON, LIBC)),
    (r"^libspirv-bind-dev_.*\.deb$", "STATIC_LINK", (SPIRV_TOOLS,)),
]


def installed(package):
    """The name of the package, with GCC's version where that is part of it, and its version."""
    if package == "libstdc++":
        gcc = subprocess.run(["gcc", "-dumpversion"], stdout=subprocess.PIPE, check=True, encoding="ascii")
        package = "libstdc++-%s-dev" % gcc.stdout.strip().split(".")[0]
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], stdout=subprocess.PIPE, check=True,
                           encoding="ascii")
    return package, found.stdout


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, licence, **more):
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", **more}


def document(version, seconds, folder):
    packages, relations = {}, []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            digest = hashlib.sha256(f.read()).hexdigest()
        packages[name] = package(name, version, "Apache-2.0", packageFileName=name,
                                 checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", identifier(name)))
        for pattern, kind, parts in LINKED:
            for part, licence in parts if re.search(pattern, name) else ():
                of_debian, its_version = installed(part)
                packages[of_debian] = package(
                    of_debian, its_version, licence, externalRefs=[{
                        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                        "referenceLocator": "pkg:deb/debian/%s@%s" % (of_debian.replace("+", "%2B"), its_version)}])
                relations.append((identifier(name), kind, identifier(of_debian)))
    digests = "".join(p["checksums"][0]["checksumValue"] for p in packages.values() if "checksums" in p)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": "spirv-bind-" + version,
        "documentNamespace": "urn:spirv-bind:%s:%s" % (version, hashlib.sha256(digests.encode()).hexdigest()),
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)),
                         "creators": ["Tool: spirv-bind-sbom-" + version]},
        "packages": list(packages.values()),
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relations],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--time", type=int, required=True)
    parser.add_argument("folder")
    args = parser.parse_args()
    json.dump(document(args.version, args.time, args.folder), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
