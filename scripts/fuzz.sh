#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes the readers of external input with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer:
#
#     scripts/fuzz.sh MINUTES [TARGET…]    all targets of test/fuzz, or these, for MINUTES in all; installs clang if it
#                                          is missing (scripts/install.sh), and builds build/fuzz
#
# Each run has a different seed, which it prints (SPB_FUZZ_SEED sets one), and begins with some of the seeds of
# test/fuzz/seeds.py and some inputs with which earlier runs reached new code. An input that fails is minimized and kept
# in build/fuzz/found, the command that repeats it is printed, and the exit status is 1. build/fuzz/hours has a line for
# each run of a target: time, target, seed, processor seconds, executions, failures. SPB_FUZZ_JOBS: parallel targets; by
# default, one per core.
set -euo pipefail
cd "$(dirname "$0")/.."

# Targets that run a module through everything are slow and have most to find.
declare -A weight=([modules]=8 [resolvers]=3 [sources]=3 [policies]=2 [locks]=2 [facts]=2)
all=(modules resolvers sources policies locks facts manifests responses layouts baselines depfiles cache_entries)
enough=300 # initial inputs

minutes=${1-}
case $minutes in
'' | *[!0-9.]*) sed -n '4,5s/^#     //p' "$0" >&2 && exit 2 ;;
esac
shift
targets=("${@:-${all[@]}}")
jobs=${SPB_FUZZ_JOBS:-$(nproc)}
seed=${SPB_FUZZ_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
fuzz=$PWD/build/fuzz

command -v clang >/dev/null || scripts/install.sh
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz | tail -n 1
if [ ! -e "$fuzz/seeds/made" ] ||
	[ -n "$(find spirv-fixtures test/rows test/fuzz/{seeds.py,modules.c} -newer "$fuzz/seeds/made" -type f)" ]; then
	rm -rf "$fuzz/seeds"
	python3 test/fuzz/seeds.py --bind "$fuzz/spirv-bind" "$fuzz/seeds"
	touch "$fuzz/seeds/made"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$fuzz/found"

total=0
for target in "${targets[@]}"; do total=$((total + ${weight[$target]:-1})); done

# Minimizes an input that fails.
minimise() { # TARGET FILE
	local least=$2.least
	timeout 60 "$fuzz/fuzz_$1" -minimize_crash=1 -max_total_time=20 -timeout=20 -exact_artifact_path="$least" "$2" \
		>"$work/$1.least" 2>&1 </dev/null || true
	[ ! -e "$least" ] || mv "$least" "$2"
	echo "fuzz.sh: $1 fails; to repeat: build/fuzz/fuzz_$1 ${2#"$PWD/"}"
}

# libFuzzer measures time by the clock: on a busy machine, what takes long may have waited. A slow input is one that
# needs more than 10 seconds of a processor.
is_only_late() { # TARGET FILE
	[[ $2 == *-slow-unit-* || $2 == *-timeout-* ]] &&
		(ulimit -t 10 && "$fuzz/fuzz_$1" -timeout=600 "$2" >/dev/null 2>&1 </dev/null)
}

run() { # TARGET
	local target=$1 begin=$work/$1 new=$work/$1.new log=$work/$1.log seconds file found=0 executions
	mkdir -p "$begin" "$new" "$fuzz/corpus/$target"
	find "$fuzz/seeds/$target" "$fuzz/corpus/$target" -type f | sort |
		shuf -n "$enough" --random-source=<(yes "$seed") | xargs -r cp -t "$begin" --
	seconds=$(awk "BEGIN { print int($minutes * 60 * $jobs * ${weight[$target]:-1} / $total + 1) }")
	TIMEFORMAT='%U %S'
	{ time "$fuzz/fuzz_$target" -seed="$seed" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
		-malloc_limit_mb=600 -max_len=20000 -len_control=0 -dict="$fuzz/seeds/$target.dict" -close_fd_mask=3 \
		-reload=0 -print_final_stats=1 -artifact_prefix="$fuzz/found/$target-" "$new" "$begin" \
		>"$log" 2>&1 </dev/null || true; } 2>"$work/$target.time"
	cp -n -t "$fuzz/corpus/$target" -- "$new"/* 2>/dev/null || true
	executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	for file in $(sed -n 's/^artifact_prefix=.*Test unit written to //p' "$log"); do
		if is_only_late "$target" "$file"; then
			rm "$file"
			continue
		fi
		minimise "$target" "$file"
		found=$((found + 1))
	done
	if [ -z "$executions" ] && [ $found = 0 ]; then
		tail -n 20 "$log"
		echo "fuzz.sh: $target did not run"
		found=1
	fi
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$target" "$seed" \
		"$(awk '{ print $1 + $2 }' "$work/$target.time")" "${executions:-0}" "$found" |
		tee -a "$fuzz/hours" >"$work/$target.result"
}

echo "fuzz.sh: seed $seed"
for target in "${targets[@]}"; do
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
	run "$target" &
done
wait
cat "$work"/*.result | awk -F'\t' '
	{ printf "%-14s %8.1f s of a processor, %9d executions%s\n", $2, $4, $5, $6 ? ", FAILED" : ""; failed += $6 }
	END { exit failed > 0 }'
