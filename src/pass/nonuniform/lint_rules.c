/* SPDX-License-Identifier: Apache-2.0 */
/* lint_rules: the rules of the lint, by name, and how severe their findings are.
 *
 *   nonuniform    elements of descriptor arrays whose index differs, without the decoration NonUniform
 *   derivatives   derivative instructions where the invocations of a primitive may have diverged
 *   implicit-lod  samples with implicit level of detail there, or of a descriptor that differs within the quad
 *   barriers      control barriers that not all invocations of the workgroup may reach
 *   subgroup      subgroup operations that need all invocations, or an operand that is the same in all of them
 *   operands      operands that have to be the same in all invocations: those of cooperative matrices, for example
 *   assertions    values that the author asserts to be uniform, without a proof
 *   comments      comments that allow findings, but name no rule or suppress nothing
 *
 * In diverging control flow the level of detail of a sample is undefined, but programs that rely on what most devices
 * do are everywhere, so that rule only warns. The others find undefined behavior. */
#include "pass/nonuniform/lint.h"

static const struct {
	const char *name;
	uint8_t severity;
} rules[SPB_RULE_COUNT] = {
    {"nonuniform", SPB_SEVERITY_ERROR}, {"derivatives", SPB_SEVERITY_ERROR}, {"implicit-lod", SPB_SEVERITY_WARNING},
    {"barriers", SPB_SEVERITY_ERROR},   {"subgroup", SPB_SEVERITY_ERROR},    {"operands", SPB_SEVERITY_ERROR},
    {"assertions", SPB_SEVERITY_ERROR}, {"comments", SPB_SEVERITY_WARNING},
};

static const char *const severities[] = {"error", "warning", "note", "off"};

const char *spb_lint_rule_name(uint32_t index)
{
	return index < SPB_COUNT(rules) ? rules[index].name : NULL;
}

const char *spb_severity_name(uint32_t index)
{
	return index < SPB_COUNT(severities) ? severities[index] : NULL;
}

static uint32_t find(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(name, word, length);
}

/* RULE or RULE=SEVERITY; the word "all" stands for every rule. */
static bool read_rule(const char *item, size_t length, uint8_t *severity)
{
	const char *equals = memchr(item, '=', length);
	size_t name = equals ? (size_t)(equals - item) : length, value = equals ? length - name - 1 : 0;
	uint32_t given = 0;
	bool found = false;

	while (equals && !find(equals + 1, value, severities[given])) {
		if (++given == SPB_COUNT(severities))
			return false;
	}
	for (uint32_t r = 0; r < SPB_RULE_COUNT; r++) {
		if (!find(item, name, rules[r].name) && !find(item, name, "all"))
			continue;
		severity[r] = equals ? (uint8_t)given : rules[r].severity;
		found = true;
	}
	return found;
}

bool spb_read_lint(const char *text, uint8_t *severity)
{
	for (uint32_t r = 0; r < SPB_RULE_COUNT; r++)
		severity[r] = text ? SPB_LINT_OFF : rules[r].severity;
	while (text) {
		size_t length = strcspn(text, ",");
		if (!read_rule(text, length, severity))
			return false;
		text = text[length] ? text + length + 1 : NULL;
	}
	return true;
}

uint32_t spb_code_number(const char *text)
{
	uint32_t code = 0;

	if (strncmp(text, "SPB", 3) != 0 || !text[3] || text[3 + strspn(text + 3, "0123456789")] || strlen(text) > 7)
		return 0;
	for (const char *p = text + 3; *p; p++)
		code = code * 10 + (uint32_t)(*p - '0');
	return code;
}
