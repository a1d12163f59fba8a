/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/huffman.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct leaf {
	uint32_t count;
	int symbol;
};

static int by_count(const void *a, const void *b)
{
	const struct leaf *one = a, *other = b;
	return one->count != other->count ? (one->count < other->count ? -1 : 1)
		: one->symbol - other->symbol;
}

/*
 * Joins the two rarest trees until one is left. Sorted leaves and joined trees are two queues, both in
 * order, so the rarest is always at the head of one. Writes each leaf's depth; returns the greatest.
 */
static int depths(const struct leaf *leaves, int count, uint8_t *lengths)
{
	uint64_t weight[2 * HUFFMAN_SYMBOLS];
	int parent[2 * HUFFMAN_SYMBOLS], depth[2 * HUFFMAN_SYMBOLS];
	int next_leaf = 0, next_joined = count, end = count, deepest = 0;

	for (int i = 0; i < count; i++) {
		weight[i] = leaves[i].count;
	}
	while (end < 2 * count - 1) {
		weight[end] = 0;
		for (int half = 0; half < 2; half++) {
			bool leaf = next_leaf < count
				&& (next_joined >= end || weight[next_leaf] <= weight[next_joined]);
			int taken = leaf ? next_leaf++ : next_joined++;
			parent[taken] = end;
			weight[end] += weight[taken];
		}
		end++;
	}
	depth[end - 1] = 0;
	for (int i = end - 2; i >= 0; i--) {
		depth[i] = depth[parent[i]] + 1;
		if (i < count) {
			lengths[leaves[i].symbol] = (uint8_t)MIN(depth[i], UINT8_MAX);
			deepest = MAX(deepest, depth[i]);
		}
	}
	return deepest;
}

static void assign(struct huffman *code, int symbols)
{
	int count[HUFFMAN_LONGEST + 1] = { 0 }, next[HUFFMAN_LONGEST + 2] = { 0 };
	for (int i = 0; i < symbols; i++) {
		count[code->lengths[i]]++;
	}
	count[0] = 0;
	for (int length = 1; length <= HUFFMAN_LONGEST; length++) {
		next[length + 1] = (next[length] + count[length]) << 1;
	}
	for (int i = 0; i < symbols; i++) {
		unsigned value = (unsigned)next[code->lengths[i]], reversed = 0;
		if (code->lengths[i] == 0) {
			continue;
		}
		next[code->lengths[i]]++;
		for (int bit = 0; bit < code->lengths[i]; bit++) {
			reversed |= (value >> bit & 1) << (code->lengths[i] - 1 - bit);
		}
		code->codes[i] = (uint16_t)reversed;
	}
}

void huffman_build(struct huffman *code, const uint32_t *counts, int symbols)
{
	struct leaf leaves[HUFFMAN_SYMBOLS];
	int count = 0;

	memset(code, 0, sizeof *code);
	for (int i = 0; i < symbols; i++) {
		if (counts[i] > 0) {
			leaves[count++] = (struct leaf){ counts[i], i };
		}
	}
	if (count == 1) {
		code->lengths[leaves[0].symbol] = 1;
	} else if (count > 1) {
		qsort(leaves, (size_t)count, sizeof *leaves, by_count);
		while (depths(leaves, count, code->lengths) > HUFFMAN_LONGEST) {
			for (int i = 0; i < count; i++) {
				leaves[i].count = (leaves[i].count >> 2) + 1;
			}
		}
	}
	assign(code, symbols);
}
