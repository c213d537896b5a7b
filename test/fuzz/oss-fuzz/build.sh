#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets as OSS-Fuzz wants them: with its compiler and flags (CC, CFLAGS, LIB_FUZZING_ENGINE), into
# $OUT, with seeds, dictionaries and options beside them, and linked to nothing that its runner lacks. $SRC has
# spirv-bind, and $WORK is for what is between.
source=$SRC/spirv-bind
mkdir -p "$WORK/runtime"
cp "$(gcc -print-file-name=libstdc++.a)" "$WORK/runtime" # found before the shared one

cmake -G Ninja -S "$source" -B "$WORK/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG= -DSPB_FUZZ=ON \
	-DSPB_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DSPB_BUILD_TESTS=OFF -DSPB_BUILD_SHARED=OFF -DSPB_STATIC_CLI=OFF \
	-DSPB_INSTALL=OFF "-DCMAKE_EXE_LINKER_FLAGS=$CFLAGS -L$WORK/runtime"
cmake --build "$WORK/build"

# The seeds come from what the fixtures become; leaks of a process that ends are of no interest here.
ASAN_OPTIONS=detect_leaks=0 python3 "$source/test/fuzz/seeds.py" --bind "$WORK/build/spirv-bind" "$WORK/seeds"
for target in "$WORK"/build/fuzz_*; do
	name=$(basename "$target")
	cp "$target" "$OUT"
	cp "$WORK/seeds/${name#fuzz_}.dict" "$OUT/$name.dict"
	(cd "$WORK/seeds/${name#fuzz_}" && python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" *)
	printf '[libfuzzer]\nmax_len = 20000\nclose_fd_mask = 3\n' >"$OUT/$name.options"
done
