# SPDX-License-Identifier: Apache-2.0
"""The bill of materials of a release (scripts/release/sbom.py): of every file, complete, and reproducible."""
import hashlib
import json
import os
import sys

import running
from running import ROOT, read, run, write

SBOM = os.path.join(ROOT, "scripts", "release", "sbom.py")
FILES = ("spirv-bind-0.1.0.tar.gz", "spirv-bind-0.1.0-linux-x86_64.tar.gz", "CHANGELOG.md",
         "libspirv-bind0.1_0.1.0-0upstream1_amd64.deb", "libspirv-bind-dev_0.1.0-0upstream1_amd64.deb",
         "spirv-bind_0.1.0-0upstream1_amd64.deb")
DOCUMENT = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": "spirv-bind-0.1.0"}
PACKAGE = {"SPDXID", "name", "versionInfo", "downloadLocation", "filesAnalyzed", "licenseConcluded", "licenseDeclared",
           "copyrightText"}


def made(folder):
    return run(sys.executable, SBOM, "--version", "0.1.0", "--time", "86400", folder).stdout


def linked(document, name, kind):
    ids = {p["SPDXID"]: p["name"] for p in document["packages"]}
    return {ids[r["relatedSpdxElement"]].split("-")[0] for r in document["relationships"]
            if r["relationshipType"] == kind and ids.get(r["spdxElementId"]) == name}


def test_a_release_is_listed():
    os.mkdir("dist")
    for name in FILES:
        write(os.path.join("dist", name), name)
    text = made("dist")
    document = json.loads(text)
    assert text == made("dist")
    assert DOCUMENT.items() <= document.items(), document
    assert document["creationInfo"]["created"] == "1970-01-02T00:00:00Z"
    packages = {p["name"]: p for p in document["packages"]}
    ids = {p["SPDXID"] for p in document["packages"]} | {"SPDXRef-DOCUMENT"}
    assert len(ids) == len(document["packages"]) + 1
    assert all(PACKAGE <= set(p) and p["versionInfo"] for p in document["packages"])
    for name in FILES:
        digest = hashlib.sha256(read(os.path.join("dist", name))).hexdigest()
        assert packages[name]["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest}]
        assert packages[name]["packageFileName"] == name
    assert all({r["spdxElementId"], r["relatedSpdxElement"]} <= ids for r in document["relationships"])
    assert linked(document, FILES[1], "STATIC_LINK") == {"spirv", "libjansson", "libc6", "libstdc++"}
    assert linked(document, FILES[3], "STATIC_LINK") == {"spirv"}
    assert linked(document, FILES[5], "DYNAMIC_LINK") == {"libjansson", "libc6"}
    assert not linked(document, FILES[0], "STATIC_LINK")
    write(os.path.join("dist", FILES[0]), "another")
    assert json.loads(made("dist"))["documentNamespace"] != document["documentNamespace"]


if __name__ == "__main__":
    running.main(globals())
