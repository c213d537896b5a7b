/* SPDX-License-Identifier: Apache-2.0 */
/* settings: from the application (VK_EXT_layer_settings), then from a file, then from the environment. The last one
 * that has a setting decides.
 *
 *     spirv_bind.record = /tmp/record        in vk_layer_settings.txt
 *     VK_SPIRV_BIND_RECORD=/tmp/record       in the environment
 *
 * In a process that has more rights than its user, only the application's count. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "layer/layer.h"

enum kind { FLAG, FORMAT, WORD };

static const struct row {
	const char *name;
	enum kind kind;
	size_t offset, size;
} rows[] = {
    {"lint", FLAG, offsetof(struct layer_settings, lint), sizeof(bool)},
    {"check", FLAG, offsetof(struct layer_settings, check), sizeof(bool)},
    {"format", FORMAT, offsetof(struct layer_settings, format), sizeof(enum layer_format)},
    {"report", WORD, offsetof(struct layer_settings, report), sizeof((struct layer_settings *)0)->report},
    {"record", WORD, offsetof(struct layer_settings, record), sizeof((struct layer_settings *)0)->record},
    {"rules", WORD, offsetof(struct layer_settings, rules), sizeof((struct layer_settings *)0)->rules},
    {"suppress", WORD, offsetof(struct layer_settings, suppress), sizeof((struct layer_settings *)0)->suppress},
};

void layer_complain(const char *what, const char *about)
{
	struct layer_text t = {0};

	layer_add(&t, LAYER_NAME ": %s%s\n", what, about);
	if (!t.lost)
		fputs(t.data, stderr);
	free(t.data);
}

static bool set_row(struct layer_settings *s, const struct row *row, const char *value)
{
	static const char *const words[][5] = {
	    [FLAG] = {"false", "true", "0", "1"}, [FORMAT] = {"text", "json", "sarif"}};
	void *field = (char *)s + row->offset;

	if (row->kind == WORD && strlen(value) < row->size) {
		memcpy(field, value, strlen(value) + 1);
		return true;
	}
	for (unsigned i = 0; row->kind != WORD && words[row->kind][i]; i++) {
		if (strcmp(value, words[row->kind][i]) != 0)
			continue;
		if (row->kind == FLAG)
			*(bool *)field = i & 1;
		else
			*(enum layer_format *)field = (enum layer_format)i;
		return true;
	}
	return false;
}

static void set(struct layer_settings *s, const char *name, const char *value)
{
	for (size_t i = 0; i < LAYER_COUNT(rows); i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		if (!set_row(s, &rows[i], value))
			layer_complain("this setting cannot have this value: ", name);
		return;
	}
	layer_complain("there is no setting ", name);
}

static void read_application(struct layer_settings *s, const VkLayerSettingsCreateInfoEXT *info)
{
	for (uint32_t i = 0; info && i < info->settingCount; i++) {
		const VkLayerSettingEXT *one = &info->pSettings[i];
		if (strcmp(one->pLayerName, LAYER_NAME) != 0 || !one->valueCount)
			continue;
		if (one->type == VK_LAYER_SETTING_TYPE_STRING_EXT)
			set(s, one->pSettingName, *(const char *const *)one->pValues);
		else if (one->type == VK_LAYER_SETTING_TYPE_BOOL32_EXT)
			set(s, one->pSettingName, *(const VkBool32 *)one->pValues ? "true" : "false");
		else
			layer_complain("settings are strings or VkBool32: ", one->pSettingName);
	}
}

/* Lines "spirv_bind.NAME = VALUE"; other layers have lines in it, too. */
static void read_file(struct layer_settings *s)
{
	const char *path = getenv("VK_LAYER_SETTINGS_PATH"), *name = "vk_layer_settings.txt";
	char line[2048], key[32], value[1024];
	struct stat status;
	FILE *file;

	if (path && !stat(path, &status) && !S_ISDIR(status.st_mode))
		name = "";
	snprintf(line, sizeof line, "%s%s%s", path ? path : "", path && *path && *name ? "/" : "", name);
	file = fopen(line, "r");
	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, " spirv_bind.%31[a-z] = %1023[^\r\n]", key, value) == 2)
			set(s, key, value);
	}
	if (file)
		fclose(file);
}

static void read_environment(struct layer_settings *s)
{
	for (size_t i = 0; i < LAYER_COUNT(rows); i++) {
		char name[32];
		const char *value;
		int length = snprintf(name, sizeof name, "VK_SPIRV_BIND_%s", rows[i].name);
		for (int k = 0; k < length; k++)
			name[k] = (char)toupper((unsigned char)name[k]);
		value = getenv(name);
		if (value)
			set(s, rows[i].name, value);
	}
}

static bool has_more_rights(void)
{
#ifdef __linux__
	if (getauxval(AT_SECURE)) /* capabilities of the file, too */
		return true;
#endif
	return getuid() != geteuid() || getgid() != getegid();
}

void layer_read_settings(struct layer_settings *s, const VkInstanceCreateInfo *info)
{
	*s = (struct layer_settings){.lint = true, .check = true, .report = "stderr"};
	read_application(s, layer_chained(info->pNext, VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT));
	if (has_more_rights())
		return;
	read_file(s);
	read_environment(s);
}
