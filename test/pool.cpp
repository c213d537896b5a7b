// SPDX-License-Identifier: Apache-2.0
// src/cli/jobs/pool.cpp, operator new of the command: blocks are aligned, apart from each other, and keep what is
// written to them, in whatever order they are freed; memory is used again; other threads may free them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <vector>

namespace
{
constexpr std::size_t MOST_CHUNKS = 12;

void require(bool ok, const char *what)
{
	if (ok)
		return;
	std::fprintf(stderr, "%s\n", what);
	std::exit(1);
}

struct block {
	unsigned char *bytes;
	std::size_t size;
	unsigned char filled;
};

bool is_whole(const block &b)
{
	for (std::size_t i = 0; i < b.size; i++) {
		if (b.bytes[i] != b.filled)
			return false;
	}
	return true;
}

std::size_t draw_size(std::mt19937 &draw)
{
	static const std::size_t edges[] = {0, 1, 15, 16, 17, 1008, 32767, 32768, 32769, 65536, 200000};

	return draw() % 8 ? draw() % 300 : edges[draw() % (sizeof edges / sizeof *edges)];
}

void change_at_random(unsigned seed)
{
	std::mt19937 draw(seed);
	std::vector<block> blocks;

	for (int step = 0; step < 20000; step++) {
		bool grows = blocks.size() < 10 || (draw() % 2 && blocks.size() < 400);
		if (grows) {
			std::size_t size = draw_size(draw);
			block b = {static_cast<unsigned char *>(::operator new(size)), size,
				   static_cast<unsigned char>(draw())};
			require(reinterpret_cast<std::uintptr_t>(b.bytes) % alignof(std::max_align_t) == 0,
				"a block is not aligned");
			std::memset(b.bytes, b.filled, size);
			blocks.push_back(b);
			continue;
		}
		std::size_t which = draw() % 3 ? blocks.size() - 1 : draw() % blocks.size();
		require(is_whole(blocks[which]), "a block has been written to");
		::operator delete(blocks[which].bytes);
		blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(which));
	}
	for (const block &b : blocks) {
		require(is_whole(b), "a block has been written to");
		::operator delete(b.bytes, b.size);
	}
}

// As in a thousand validations: all of it is freed, but for one block that the first keeps.
void stay_small()
{
	std::vector<void *> made(3000);
	std::uintptr_t chunks[MOST_CHUNKS] = {};
	std::size_t count = 0;
	void *kept = ::operator new(48);

	for (int round = 0; round < 1000; round++) {
		for (std::size_t i = 0; i < made.size(); i++) {
			made[i] = ::operator new(16 + i % 200);
			std::uintptr_t chunk = reinterpret_cast<std::uintptr_t>(made[i]) / 65536;
			if (std::find(chunks, chunks + count, chunk) != chunks + count)
				continue;
			require(count < MOST_CHUNKS, "memory is not used again");
			chunks[count++] = chunk;
		}
		for (void *p : made)
			::operator delete(p);
	}
	::operator delete(kept);
}

void free_at_once()
{
	::operator delete(::operator new(100));
	void *first = ::operator new(100);
	::operator delete(first);
	void *second = ::operator new(200);
	require(first == second, "what was freed at once is not taken again");
	::operator delete(second);
	::operator delete(nullptr);
}

void refuse()
{
	for (std::size_t size :
	     {static_cast<std::size_t>(-1), static_cast<std::size_t>(-1) - 65536, static_cast<std::size_t>(-1) / 2}) {
		bool refused = false;
		try {
			::operator delete(::operator new(size));
		} catch (const std::bad_alloc &) {
			refused = true;
		}
		require(refused, "more than there is has been given");
	}
}

void free_elsewhere()
{
	std::vector<block> blocks;

	std::thread([&] {
		for (std::size_t i = 0; i < 2000; i++) {
			blocks.push_back({static_cast<unsigned char *>(::operator new(i * 20)), i * 20, 7});
			std::memset(blocks.back().bytes, 7, i * 20);
		}
	}).join();
	for (const block &b : blocks) {
		require(is_whole(b), "a block has been written to");
		::operator delete(b.bytes);
	}
}
} // namespace

int main()
{
	std::vector<std::thread> threads;

	free_at_once();
	stay_small();
	refuse();
	for (unsigned seed = 0; seed < 4; seed++)
		threads.emplace_back(change_at_random, seed);
	for (std::thread &t : threads)
		t.join();
	free_elsewhere();
	change_at_random(99);
	return 0;
}
