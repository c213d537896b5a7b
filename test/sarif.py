# SPDX-License-Identifier: Apache-2.0
"""Reads a SARIF 2.1.0 log, and checks it section by section of the standard (OASIS, 27 March 2020): required properties
exist, existing ones are allowed, and references resolve."""
import json
import re

import running


def same_keys(o, required, optional=()):
    assert set(required) <= set(o) <= set(required) | set(optional), o


def check_uri(place, bases):
    same_keys(place, ("uri",), ("uriBaseId",))  # 3.4
    # RFC 3986: a reference; a colon in its first segment would make it a scheme
    assert re.fullmatch(r"(file://)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+", place["uri"]), place
    # 3.4.3, 3.4.4: a relative reference has a base, which the run names; an absolute one has none
    assert ("uriBaseId" in place) != place["uri"].startswith("file://"), place
    assert place.get("uriBaseId", "%SRCROOT%") in bases, place


def check_region(region):  # 3.30
    lines = ({"startLine"}, {"startLine", "startColumn"}, {"startLine", "startColumn", "endColumn"})
    assert set(region) in lines + ({"byteOffset"},), region
    assert all(type(v) is int and v > 0 for v in region.values()), region
    assert region.get("endColumn", 1 << 32) > region.get("startColumn", 0), region


def check_location(location, bases):  # 3.28
    same_keys(location, (), ("physicalLocation", "logicalLocations", "message", "id"))
    assert type(location.get("id", 0)) is int and location.get("id", 0) >= 0, location
    physical = location.get("physicalLocation")
    if physical:  # 3.29
        same_keys(physical, ("artifactLocation",), ("region",))
        check_uri(physical["artifactLocation"], bases)
        if "region" in physical:
            check_region(physical["region"])
    if "message" in location:
        check_message(location["message"])
    for logical in location.get("logicalLocations", []):  # 3.33
        same_keys(logical, ("name", "fullyQualifiedName", "kind"))
        assert logical["kind"] == "function" and logical["name"] == logical["fullyQualifiedName"]


def check_message(message):
    same_keys(message, ("text",))  # 3.11
    # 3.11.5: a lone brace would be a placeholder, and there are no arguments
    assert message["text"] and not re.search(r"[{}]", message["text"].replace("{{", "").replace("}}", "")), message


def check_rule(rule):  # 3.49
    same_keys(rule, ("id",), ("shortDescription", "help", "helpUri", "properties", "defaultConfiguration"))
    if re.fullmatch(r"SPB\d{4}", rule["id"]):
        same_keys(rule, ("id", "shortDescription", "help", "helpUri", "defaultConfiguration"), ("properties",))
        same_keys(rule["defaultConfiguration"], ("level",))  # 3.50
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note"), rule
        check_message(rule["shortDescription"])
        same_keys(rule["help"], ("text", "markdown"))  # 3.12
        assert rule["helpUri"].startswith("file:///") and rule["helpUri"].endswith("#" + rule["id"].lower()), rule
        assert rule["helpUri"] in rule["help"]["markdown"], rule
    same_keys(rule.get("properties", {}), (), ("tags",))


def check_flow(flow, result, bases):  # 3.36, 3.37, 3.38
    same_keys(flow, ("threadFlows",))
    thread, = flow["threadFlows"]
    same_keys(thread, ("locations",))
    for step in thread["locations"]:
        same_keys(step, ("location",))
        check_location(step["location"], bases)
        assert step["location"]["message"]["text"]
    last = thread["locations"][-1]["location"]
    assert last.get("physicalLocation") == result["locations"][0].get("physicalLocation"), result


def check_result(result, rules, bases):  # 3.27
    same_keys(result, ("ruleId", "ruleIndex", "level", "message", "properties"),
              ("locations", "relatedLocations", "codeFlows", "partialFingerprints", "baselineState", "suppressions"))
    assert rules[result["ruleIndex"]] == result["ruleId"] and result["level"] in ("error", "warning", "note")
    check_message(result["message"])
    assert len(result.get("locations", [0])) == 1
    for location in result.get("locations", []) + result.get("relatedLocations", []):
        check_location(location, bases)
    ids = [location["id"] for location in result.get("relatedLocations", [])]
    assert len(set(ids)) == len(ids), ids  # 3.28.2: unique within the result
    for flow in result.get("codeFlows", []):
        check_flow(flow, result, bases)
    for value in result.get("partialFingerprints", {}).values():
        assert re.fullmatch("[0-9a-f]{16}", value), value
    assert result.get("baselineState", "new") in ("new", "unchanged", "updated", "absent")  # 3.27.24
    for suppression in result.get("suppressions", []):  # 3.35
        same_keys(suppression, ("kind",), ("justification",))
        assert suppression["kind"] in ("inSource", "external")
    same_keys(result["properties"], (), ("module", "wordOffset", "op", "id", "name", "pass"))


def read(data):
    """The results of a log, and its invocation."""
    assert data.count(b"\n") == 1 and data.endswith(b"\n"), data
    log = json.loads(data.decode("ascii"))
    same_keys(log, ("$schema", "version", "runs"))  # 3.13
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json") and len(log["runs"]) == 1
    run = log["runs"][0]
    same_keys(run, ("tool", "originalUriBaseIds", "invocations", "results"))  # 3.14
    same_keys(run["tool"], ("driver",))  # 3.18
    driver = run["tool"]["driver"]
    same_keys(driver, ("name", "version", "rules"))  # 3.19
    version = running.bind("--version").stdout
    assert version.startswith("%(name)s %(version)s\n" % driver)
    rules = [rule["id"] for rule in driver["rules"]]
    for rule in driver["rules"]:
        check_rule(rule)
    assert len(set(rules)) == len(rules), rules
    assert set(rules) == {result["ruleId"] for result in run["results"]}, rules
    # 3.27.23: all have the list, or none
    assert len({"suppressions" in result for result in run["results"]}) < 2, run["results"]
    for result in run["results"]:
        check_result(result, rules, run["originalUriBaseIds"])
    marks = [json.dumps(r["partialFingerprints"]) for r in run["results"] if "partialFingerprints" in r]
    assert len(set(marks)) == len(marks) or len({r["properties"].get("module") for r in run["results"]}) > 1, marks
    invocation, = run["invocations"]
    same_keys(invocation, ("executionSuccessful", "exitCode", "toolExecutionNotifications"))  # 3.20
    for notification in invocation["toolExecutionNotifications"]:  # 3.58
        same_keys(notification, ("level", "message"))
        check_message(notification["message"])
    assert type(invocation["executionSuccessful"]) is bool
    return run["results"], invocation
