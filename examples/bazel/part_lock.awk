# SPDX-License-Identifier: Apache-2.0
# awk -f part_lock.awk PART.manifest WHOLE.lock PART.lock: the lines of a lock that a part of a manifest depends on.
# Those of other programs are left out; what is shared stays.
function name_of(line) {
	sub(/^program "?/, "", line)
	sub(/:"? .*/, "", line)
	return line
}

BEGIN {
	while ((getline line < ARGV[1]) > 0) {
		if (line ~ /^program /) {
			own[name_of(line)] = 1
		}
		if (line ~ /^share /) {
			scope = line ~ / programs=/ ? line : ""
			sub(/.* programs="?/, "", scope)
			sub(/".*/, "", scope)
			own[scope == "" ? "*" : scope] = 1
		}
	}
	printf "" > ARGV[3]
	while ((getline line < ARGV[2]) > 0) {
		program = line
		if (!sub(/.* program=/, "", program) || line ~ /^#/) {
			print line > ARGV[3]
			continue
		}
		sub(/ .*/, "", program)
		if (program in own) {
			print line > ARGV[3]
		}
	}
}
