/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/cfg.h"

uint32_t spb_block_around(const struct spb_cfg *g, spb_at at)
{
	uint32_t low = 0, high = g->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (g->block[middle].label <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t spb_block_of(const struct spb_cfg *g, uint32_t label)
{
	spb_at at = g->m->def[label];
	uint32_t b = g->count ? spb_block_around(g, at) : 0;

	return b < g->count && g->block[b].label == at ? b : g->count;
}

/* Takes one of several arrays that were allocated together. */
static uint32_t *take(uint32_t **next, uint32_t count)
{
	uint32_t *taken = *next;

	*next += count;
	return taken;
}

/* Allocates all arrays over the blocks. */
static void make_room(struct spb_cfg *g, struct spb_arena *arena)
{
	const uint32_t n = g->count + 1;
	uint32_t *next = spb_alloc_array(arena, 7 * (size_t)n + 2, sizeof *next);

	g->first_succ = take(&next, n + 1);
	g->first_pred = take(&next, n + 1);
	g->idom = take(&next, n);
	g->ipdom = take(&next, n);
	g->dom_first = take(&next, n);
	g->dom_last = take(&next, n);
	g->loop = take(&next, n);
}

static bool returns(const struct spb_module *m, spb_at end)
{
	return spb_op(m, end) == SpvOpReturn || spb_op(m, end) == SpvOpReturnValue;
}

/* The label that a branch on a known constant leads to; 0 if it is not such a branch. */
static uint32_t only_target(const struct spb_module *m, const struct spb_folded *known, spb_at end)
{
	uint32_t op = spb_op(m, end);
	uint64_t value;

	if (!known || (op != SpvOpBranchConditional && op != SpvOpSwitch) ||
	    !spb_folded_value(known, m->words[end + 1], &value))
		return 0;
	if (op == SpvOpBranchConditional)
		return m->words[end + (value ? 2 : 3)];
	spb_at type = m->def[spb_type_of(m, m->words[end + 1])];
	if (spb_op(m, type) != SpvOpTypeInt || m->words[type + 2] != 32) /* its literals have one word */
		return 0;
	for (uint32_t w = end + 3; w + 1 < spb_next(m, end); w += 2) {
		if (m->words[w] == value)
			return m->words[w + 1];
	}
	return m->words[end + 2];
}

/* Where killed invocations continue: the innermost construct around each block. */
struct constructs {
	uint32_t *around;       /* [block] the header, + 1; 0: none */
	uint32_t *merge, *next; /* [header] the merge block, and the continue target of a loop; `count`: none */
};

static void find_merges(const struct spb_cfg *g, struct constructs *c)
{
	const struct spb_module *m = g->m;

	for (uint32_t b = 0; b < g->count; b++) {
		c->merge[b] = c->next[b] = g->count;
		for (spb_at at = g->block[b].label; at < g->block[b].end; at = spb_next(m, at)) {
			if (spb_op(m, at) != SpvOpSelectionMerge && spb_op(m, at) != SpvOpLoopMerge)
				continue;
			c->merge[b] = spb_block_of(g, m->words[at + 1]);
			if (spb_op(m, at) == SpvOpLoopMerge)
				c->next[b] = spb_block_of(g, m->words[at + 2]);
		}
	}
}

static bool is_unreachable(const struct spb_cfg *g, uint32_t b)
{
	return b == g->count || spb_op(g->m, g->block[b].end) == SpvOpUnreachable;
}

/* `g`: the graph in which killed invocations end. A selection whose merge block is OpUnreachable is skipped:
 * invocations that leave it also leave the enclosing one. */
static struct constructs find_constructs(const struct spb_cfg *g, struct spb_arena *arena)
{
	const uint32_t n = g->count + 1;
	struct constructs c = {spb_alloc_zeroed(arena, n, sizeof *c.around), spb_alloc_array(arena, n, sizeof *c.merge),
			       spb_alloc_array(arena, n, sizeof *c.next)};
	uint32_t *order = spb_alloc_array(arena, n, sizeof *order);

	find_merges(g, &c);
	for (uint32_t b = 0; b < n; b++)
		order[g->dom_first[b] - 1] = b;
	for (uint32_t i = 0; i < n; i++) { /* blocks come after those that dominate them */
		uint32_t b = order[i], up = g->idom[b];
		if (b == g->count || up == SPB_NO_BLOCK)
			continue;
		bool header = c.next[up] < g->count || !is_unreachable(g, c.merge[up]);
		uint32_t around = c.around[up];
		if (header && (c.merge[up] == g->count || !spb_dominates(g, c.merge[up], b)))
			c.around[b] = up + 1;
		else
			c.around[b] = around && c.merge[around - 1] == b ? c.around[around - 1] : around;
	}
	return c;
}

/* Vulkan, "Shader Termination": OpKill may terminate an invocation, "otherwise it becomes a helper invocation". No
 * specification says where it then continues. Compilers that treat OpKill like OpDemoteToHelperInvocation leave it
 * where it is: at the end of the innermost construct. Of a loop, that is the next iteration, or what follows the
 * loop. */
static uint32_t where_killed(const struct spb_cfg *g, const struct constructs *c, uint32_t b, uint32_t to[2])
{
	uint32_t header = c->around[b] - 1, count = 0;

	if (!c->around[b]) {
		to[count++] = g->count;
		return count;
	}
	if (c->next[header] < g->count)
		to[count++] = c->next[header];
	if (!is_unreachable(g, c->merge[header]))
		to[count++] = c->merge[header];
	return count;
}

/* Lists each edge once, even if a switch names a block several times. `ended`: as for spb_cfg_with_killed, or NULL. */
static void find_successors(struct spb_cfg *g, const struct spb_cfg *ended, const struct constructs *constructs,
			    const struct spb_folded *known, struct spb_arena *arena)
{
	const struct spb_module *m = g->m;
	uint32_t n = g->count, *stamp = g->loop; /* which is not known yet */
	SPB_LIST(uint32_t) list = {0};

	memset(stamp, 0, (n + 1) * sizeof *stamp);
	for (uint32_t b = 0; b < n; b++) {
		uint32_t only = only_target(m, known, g->block[b].end);
		g->first_succ[b] = (uint32_t)list.count;
		for (struct spb_operand o = spb_operands(m, g->block[b].end); spb_operand_next(&o);) {
			if (o.kind != SPB_KIND_ID || spb_def_op(m, m->words[o.word]) != SpvOpLabel ||
			    (only && m->words[o.word] != only))
				continue;
			uint32_t to = spb_block_of(g, m->words[o.word]);
			if (to == n || stamp[to] == b + 1) /* n: in another function, so the module is invalid */
				continue;
			stamp[to] = b + 1;
			g->turns_back |= to <= b;
			SPB_PUSH(arena, &list, to);
		}
		if (ended && spb_op(m, g->block[b].end) == SpvOpKill && spb_reachable(ended, b)) {
			uint32_t to[2], ways = where_killed(ended, constructs, b, to);
			for (uint32_t i = 0; i < ways; i++) {
				g->turns_back |= to[i] <= b;
				SPB_PUSH(arena, &list, to[i]);
			}
		}
		if (returns(m, g->block[b].end))
			SPB_PUSH(arena, &list, n);
	}
	g->first_succ[n] = g->first_succ[n + 1] = (uint32_t)list.count;
	g->succ = list.items;
}

/* Drops blocks that terminate the invocation or have only such successors. Blocks come after those that dominate them
 * (SPIR-V 2.16.2), so one walk from the last to the first finds most of them; a loop that never leaves stays. */
static void drop_ends(struct spb_cfg *g, struct spb_arena *arena)
{
	uint32_t *ends = spb_bits(arena, g->count + 1), kept = 0;

	for (uint32_t b = g->count; b-- > 1;) {
		uint32_t goes_on = 0;
		for (uint32_t i = g->first_succ[b]; i < g->first_succ[b + 1]; i++)
			goes_on += !spb_bit(ends, g->succ[i]);
		if (!goes_on)
			spb_set_bit(ends, b);
	}
	for (uint32_t b = 0; b < g->count; b++) {
		uint32_t first = g->first_succ[b], end = g->first_succ[b + 1];
		g->first_succ[b] = kept;
		for (uint32_t i = first; i < end; i++) {
			if (!spb_bit(ends, g->succ[i]))
				g->succ[kept++] = g->succ[i];
		}
	}
	g->first_succ[g->count] = g->first_succ[g->count + 1] = kept;
}

static void find_predecessors(struct spb_cfg *g, struct spb_arena *arena)
{
	uint32_t n = g->count, edges = 0;

	memset(g->first_pred, 0, (n + 2) * sizeof *g->first_pred);
	for (uint32_t i = 0; i < g->first_succ[n]; i++)
		g->first_pred[g->succ[i]]++;
	for (uint32_t b = 0; b <= n + 1; b++) {
		uint32_t here = b <= n ? g->first_pred[b] : 0;
		g->first_pred[b] = edges;
		edges += here;
	}
	g->pred = spb_alloc_array(arena, edges, sizeof *g->pred);
	struct spb_mark mark = spb_arena_mark(arena);
	uint32_t *next = spb_alloc_array(arena, n + 1, sizeof *next);
	memcpy(next, g->first_pred, (n + 1) * sizeof *next);
	for (uint32_t b = 0; b < n; b++) {
		for (uint32_t i = g->first_succ[b]; i < g->first_succ[b + 1]; i++)
			g->pred[next[g->succ[i]]++] = b;
	}
	spb_arena_rewind(arena, mark);
}

/* A graph for computing dominators, forward or backward. */
struct flow {
	uint32_t count, root;
	const uint32_t *first_succ, *succ, *first_pred, *pred;
};

struct dominators {
	uint32_t *number; /* preorder number + 1; 0: not reached */
	uint32_t *vertex; /* number -> block */
	uint32_t *parent, *semi, *ancestor, *label;
	uint32_t reached;
};

/* `next`: scratch, one number per block. */
static void walk_depth_first(const struct flow *f, struct dominators *d, uint32_t *next)
{
	uint32_t b = f->root;

	memcpy(next, f->first_succ, f->count * sizeof *next);
	d->parent[b] = SPB_NO_BLOCK;
	d->vertex[d->reached++] = b;
	d->number[b] = d->reached;
	while (b != SPB_NO_BLOCK) {
		if (next[b] == f->first_succ[b + 1]) {
			b = d->parent[b];
			continue;
		}
		uint32_t to = f->succ[next[b]++];
		if (d->number[to])
			continue;
		d->parent[to] = b;
		d->vertex[d->reached++] = to;
		d->number[to] = d->reached;
		b = to;
	}
}

/* The vertex with the least semidominator on the path up, with path compression. */
static uint32_t evaluate(struct dominators *d, uint32_t v, uint32_t *stack)
{
	uint32_t depth = 0;

	if (d->ancestor[v] == SPB_NO_BLOCK)
		return v;
	for (uint32_t u = v; d->ancestor[d->ancestor[u]] != SPB_NO_BLOCK; u = d->ancestor[u])
		stack[depth++] = u;
	while (depth--) {
		uint32_t u = stack[depth], above = d->ancestor[u];
		if (d->semi[d->label[above]] < d->semi[d->label[u]])
			d->label[u] = d->label[above];
		d->ancestor[u] = d->ancestor[above];
	}
	return d->label[v];
}

static void find_dominators(const struct flow *f, uint32_t *idom, struct spb_arena *arena)
{
	struct spb_mark mark = spb_arena_mark(arena);
	uint32_t n = f->count;
	uint32_t *room = spb_alloc_array(arena, 9 * (size_t)n, sizeof *room), *next = room;
	struct dominators d = {.number = take(&next, n),
			       .vertex = take(&next, n),
			       .parent = take(&next, n),
			       .semi = take(&next, n),
			       .ancestor = take(&next, n),
			       .label = take(&next, n)};
	uint32_t *bucket = take(&next, n), *in_bucket = take(&next, n), *stack = take(&next, n);

	memset(d.number, 0, n * sizeof *d.number);
	walk_depth_first(f, &d, stack);
	for (uint32_t v = 0; v < n; v++) {
		idom[v] = bucket[v] = in_bucket[v] = d.ancestor[v] = SPB_NO_BLOCK;
		d.semi[v] = d.number[v];
		d.label[v] = v;
	}
	for (uint32_t i = d.reached; i-- > 1;) {
		uint32_t w = d.vertex[i], up = d.parent[w];
		for (uint32_t k = f->first_pred[w]; k < f->first_pred[w + 1]; k++) {
			if (!d.number[f->pred[k]])
				continue;
			uint32_t u = evaluate(&d, f->pred[k], stack);
			if (d.semi[u] < d.semi[w])
				d.semi[w] = d.semi[u];
		}
		uint32_t s = d.vertex[d.semi[w] - 1];
		in_bucket[w] = bucket[s];
		bucket[s] = w;
		d.ancestor[w] = up;
		for (uint32_t v = bucket[up]; v != SPB_NO_BLOCK; v = in_bucket[v]) {
			uint32_t u = evaluate(&d, v, stack);
			idom[v] = d.semi[u] < d.semi[v] ? u : up;
		}
		bucket[up] = SPB_NO_BLOCK;
	}
	for (uint32_t i = 1; i < d.reached; i++) {
		uint32_t w = d.vertex[i];
		if (idom[w] != d.vertex[d.semi[w] - 1])
			idom[w] = idom[idom[w]];
	}
	spb_arena_rewind(arena, mark);
}

/* Here, blocks that leave without a return lead to the exit, too, and so does a block of each endless loop, because
 * post-dominance requires a way out of every block. */
static void find_post_dominators(struct spb_cfg *g, struct spb_arena *arena)
{
	uint32_t n = g->count + 1, edges = g->first_succ[g->count], extra = 0, reached = 0;
	struct spb_mark mark = spb_arena_mark(arena);
	uint32_t *leaves = spb_alloc_zeroed(arena, n, sizeof *leaves), *work = spb_alloc_array(arena, n, sizeof *work);
	struct flow f = {n, g->count, NULL, NULL, NULL, NULL};

	/* walk backward from the exit to find the blocks that can leave */
	uint8_t *seen = spb_alloc_zeroed(arena, n, sizeof *seen);
	for (uint32_t b = 0; b < g->count; b++) {
		if (g->first_succ[b] == g->first_succ[b + 1])
			leaves[b] = 1;
		if (leaves[b] || g->succ[g->first_succ[b + 1] - 1] == g->count) {
			seen[b] = 1;
			work[reached++] = b;
		}
	}
	for (uint32_t scan = 0, b = 0;;) {
		while (scan < reached) {
			uint32_t x = work[scan++];
			for (uint32_t i = g->first_pred[x]; i < g->first_pred[x + 1]; i++) {
				if (!seen[g->pred[i]]) {
					seen[g->pred[i]] = 1;
					work[reached++] = g->pred[i];
				}
			}
		}
		while (b < g->count && seen[b])
			b++;
		if (b == g->count)
			break;
		leaves[b] = 1; /* an endless loop: let its first block leave */
		seen[b] = 1;
		work[reached++] = b;
	}
	for (uint32_t b = 0; b < g->count; b++)
		extra += leaves[b];
	uint32_t *first_succ = spb_alloc_array(arena, n + 1, sizeof *first_succ),
		 *succ = spb_alloc_array(arena, edges + extra, sizeof *succ);
	uint32_t *first_pred = spb_alloc_array(arena, n + 1, sizeof *first_pred),
		 *pred = spb_alloc_array(arena, edges + extra, sizeof *pred);
	uint32_t s = 0, p = 0;
	for (uint32_t b = 0; b < n; b++) { /* reversed: successors become predecessors */
		first_pred[b] = p;
		for (uint32_t i = g->first_succ[b]; b < g->count && i < g->first_succ[b + 1]; i++)
			pred[p++] = g->succ[i];
		if (leaves[b])
			pred[p++] = g->count;
		first_succ[b] = s;
		for (uint32_t i = g->first_pred[b]; i < g->first_pred[b + 1]; i++)
			succ[s++] = g->pred[i];
		for (uint32_t i = 0; b == g->count && i < g->count; i++) {
			if (leaves[i])
				succ[s++] = i;
		}
	}
	first_pred[n] = p;
	first_succ[n] = s;
	f.first_succ = first_succ;
	f.succ = succ;
	f.first_pred = first_pred;
	f.pred = pred;
	find_dominators(&f, g->ipdom, arena);
	spb_arena_rewind(arena, mark);
}

/* Numbers the dominator tree so that the blocks dominated by b form one range. */
static void number_tree(struct spb_cfg *g, struct spb_arena *arena)
{
	uint32_t n = g->count + 1, next = 1;

	memset(g->dom_first, 0, n * sizeof *g->dom_first);
	struct spb_mark mark = spb_arena_mark(arena);
	uint32_t *child = spb_alloc_array(arena, n, sizeof *child),
		 *sibling = spb_alloc_array(arena, n, sizeof *sibling);
	for (uint32_t b = 0; b < n; b++)
		child[b] = sibling[b] = SPB_NO_BLOCK;
	for (uint32_t b = n; b-- > 1;) {
		if (g->idom[b] != SPB_NO_BLOCK) {
			sibling[b] = child[g->idom[b]];
			child[g->idom[b]] = b;
		}
	}
	for (uint32_t b = 0; b != SPB_NO_BLOCK;) {
		if (!g->dom_first[b])
			g->dom_first[b] = next++;
		if (child[b] != SPB_NO_BLOCK) {
			uint32_t c = child[b];
			child[b] = sibling[c];
			b = c;
		} else {
			g->dom_last[b] = next - 1;
			b = b ? g->idom[b] : SPB_NO_BLOCK;
		}
	}
	for (uint32_t b = 1; b < n; b++) { /* unreachable: dominated only by itself */
		if (!g->dom_first[b])
			g->dom_first[b] = g->dom_last[b] = next++;
	}
	spb_arena_rewind(arena, mark);
}

static uint32_t representative(uint32_t *of, uint32_t b)
{
	while (of[b] != b) {
		of[b] = of[of[b]];
		b = of[b];
	}
	return b;
}

struct loops {
	struct spb_cfg *g;
	uint32_t *of; /* header of the outermost loop found so far around a block, or the block itself */
	uint32_t *stamp, *work;
};

/* Collects all blocks that reach a latch of `header` without passing through it. Inner loops are already collapsed
 * into one block each. The header dominates the latch, and therefore everything that reaches the latch without
 * passing through the header. */
static void collect_loop(struct loops *l, uint32_t header, uint32_t number)
{
	struct spb_cfg *g = l->g;
	uint32_t count = 0;

	for (uint32_t i = g->first_pred[header]; i < g->first_pred[header + 1]; i++) {
		uint32_t from = representative(l->of, g->pred[i]);
		if (!spb_reachable(g, g->pred[i]) || !spb_dominates(g, header, g->pred[i]) || from == header ||
		    l->stamp[from] == number)
			continue;
		l->stamp[from] = number;
		l->work[count++] = from;
	}
	for (uint32_t next = 0; next < count; next++) {
		uint32_t b = l->work[next];
		for (uint32_t i = g->first_pred[b]; i < g->first_pred[b + 1]; i++) {
			uint32_t from = representative(l->of, g->pred[i]);
			if (!spb_reachable(g, g->pred[i]) || from == header || l->stamp[from] == number)
				continue;
			l->stamp[from] = number;
			l->work[count++] = from;
		}
	}
	for (uint32_t next = 0; next < count; next++) {
		uint32_t b = l->work[next];
		l->of[b] = header;
		if (g->loop[b] && g->loops[g->loop[b] - 1].header == b)
			g->loops[g->loop[b] - 1].parent = number;
		else
			g->loop[b] = number;
	}
	g->loop[header] = number;
}

/* Finds a back edge whose target does not dominate its source: the graph without edges to dominators then has a
 * cycle. */
static void find_irreducible(struct spb_cfg *g, struct spb_arena *arena)
{
	uint32_t n = g->count, done = 0, reached = 0, *waits = spb_alloc_zeroed(arena, n + 1, sizeof *waits);
	uint32_t *work = spb_alloc_array(arena, n + 1, sizeof *work);

	for (uint32_t b = 0; b < n; b++) {
		reached += spb_reachable(g, b);
		for (uint32_t i = g->first_pred[b]; i < g->first_pred[b + 1]; i++)
			waits[b] += spb_reachable(g, g->pred[i]) && !spb_dominates(g, b, g->pred[i]);
	}
	uint32_t count = 0;
	work[count++] = 0;
	for (; done < count; done++) {
		uint32_t b = work[done];
		for (uint32_t i = g->first_succ[b]; i < g->first_succ[b + 1]; i++) {
			uint32_t to = g->succ[i];
			if (to < n && !spb_dominates(g, to, b) && --waits[to] == 0)
				work[count++] = to;
		}
	}
	if (done != reached)
		g->irreducible = true;
}

/* Outer loops were found later. `next`: scratch for as many numbers. */
static void number_loops(struct spb_cfg *g, uint32_t *next)
{
	uint32_t roots = 0;

	for (uint32_t i = 0; i < g->loop_count; i++) {
		struct spb_loop *l = &g->loops[i];
		l->inside++;
		if (l->parent)
			g->loops[l->parent - 1].inside += l->inside;
	}
	for (uint32_t i = g->loop_count; i-- > 0;) {
		struct spb_loop *l = &g->loops[i];
		uint32_t *place = l->parent ? &next[l->parent - 1] : &roots;
		l->depth = l->parent ? g->loops[l->parent - 1].depth + 1 : 1;
		l->first = *place;
		*place += l->inside;
		next[i] = l->first + 1;
	}
}

/* Does a back edge lead to the block? */
static bool is_header(const struct spb_cfg *g, uint32_t b)
{
	bool header = false;

	for (uint32_t k = g->first_pred[b]; k < g->first_pred[b + 1]; k++)
		header |= spb_reachable(g, b) && spb_reachable(g, g->pred[k]) && spb_dominates(g, b, g->pred[k]);
	return header;
}

static void find_loops(struct spb_cfg *g, struct spb_arena *arena)
{
	uint32_t n = g->count + 1, headers = 0;

	memset(g->loop, 0, n * sizeof *g->loop);
	if (!g->turns_back)
		return;
	for (uint32_t b = 0; b < n; b++)
		headers += is_header(g, b);
	g->loops = spb_alloc_array(arena, headers, sizeof *g->loops);
	struct spb_mark mark = spb_arena_mark(arena);
	uint32_t *order = spb_alloc_array(arena, n, sizeof *order);
	struct loops l = {.g = g,
			  .of = spb_alloc_array(arena, n, sizeof(uint32_t)),
			  .stamp = spb_alloc_zeroed(arena, n, sizeof(uint32_t)),
			  .work = spb_alloc_array(arena, n, sizeof(uint32_t))};
	find_irreducible(g, arena);
	for (uint32_t b = 0; b < n; b++)
		l.of[b] = b;
	/* inner headers come before outer ones, which dominate them */
	for (uint32_t b = 0; b < n; b++)
		order[b] = SPB_NO_BLOCK;
	for (uint32_t b = 0; b < n; b++)
		order[g->dom_first[b] - 1] = b;
	for (uint32_t i = n; i-- > 0;) {
		if (!is_header(g, order[i]))
			continue;
		g->loops[g->loop_count++] = (struct spb_loop){.header = order[i]};
		collect_loop(&l, order[i], g->loop_count);
	}
	number_loops(g, order);
	spb_arena_rewind(arena, mark);
}

/* Does each block lead only to the next one? In most functions, yes. */
static bool is_straight(const struct spb_cfg *g)
{
	bool straight = g->first_succ[g->count] == g->count;

	for (uint32_t b = 0; b < g->count && straight; b++)
		straight = g->first_succ[b] == b && g->succ[b] == b + 1;
	return straight;
}

static void number_straight(struct spb_cfg *g)
{
	for (uint32_t b = 0; b <= g->count; b++) {
		g->idom[b] = b ? b - 1 : SPB_NO_BLOCK;
		g->ipdom[b] = b < g->count ? b + 1 : SPB_NO_BLOCK;
		g->dom_first[b] = b + 1;
		g->dom_last[b] = g->count + 1;
		g->loop[b] = 0;
	}
}

/* Everything that follows from the successors. */
static void complete(struct spb_cfg *g, struct spb_arena *arena)
{
	find_predecessors(g, arena);
	if (is_straight(g)) {
		number_straight(g);
		return;
	}
	struct flow forward = {g->count + 1, 0, g->first_succ, g->succ, g->first_pred, g->pred};
	find_dominators(&forward, g->idom, arena);
	find_post_dominators(g, arena);
	number_tree(g, arena);
	find_loops(g, arena);
}

static struct spb_cfg *begin(const struct spb_module *m, const struct spb_block *blocks, uint32_t count,
			     struct spb_arena *arena)
{
	struct spb_cfg *g = spb_alloc_zeroed(arena, 1, sizeof *g);

	g->m = m;
	g->block = blocks;
	g->count = count;
	make_room(g, arena);
	return g;
}

struct spb_cfg *spb_cfg_make(const struct spb_module *m, const struct spb_block *blocks, uint32_t count,
			     const struct spb_folded *known, struct spb_arena *arena)
{
	struct spb_cfg *g = begin(m, blocks, count, arena);

	find_successors(g, NULL, NULL, known, arena);
	complete(g, arena);
	return g;
}

struct spb_cfg *spb_cfg_with_killed(const struct spb_cfg *ended, bool but_ends, const struct spb_folded *known,
				    struct spb_arena *arena)
{
	struct constructs constructs = find_constructs(ended, arena);
	struct spb_cfg *g = begin(ended->m, ended->block, ended->count, arena);

	find_successors(g, ended, &constructs, known, arena);
	if (but_ends)
		drop_ends(g, arena);
	complete(g, arena);
	return g;
}
