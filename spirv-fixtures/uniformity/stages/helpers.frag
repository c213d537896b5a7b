#version 460
#extension GL_EXT_nonuniform_qualifier : require
// The verdicts are those of the program with helpers.vert; alone, all flat inputs differ.
struct Material { uint albedo, normal; };
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uint plain;
layout(location = 1) flat in uint nested;
layout(location = 2) flat in uint by_value;
layout(location = 3) flat in uint two_calls;
layout(location = 4) flat in uint two_values;
layout(location = 5) flat in uint of_vertex;
layout(location = 6) flat in uint sometimes;
layout(location = 7) flat in uint some_vertices;
layout(location = 8) flat in uint after_return;
layout(location = 9) flat in uvec2 parts;
layout(location = 10) flat in Material material;
layout(location = 12) flat in uint main_too;
layout(location = 13) flat in uint main_last;
layout(location = 14) flat in uint by_turn;
layout(location = 15) flat in uint either;
layout(location = 16) flat in uint late;
layout(location = 17) flat in uint by_out;
layout(location = 0) out uint color;

void main()
{
	uint sum = 0;
	sum += b[plain].v;           // group
	sum += b[nested].v;          // group: by a function that a function calls
	sum += b[by_value].v;        // group
	sum += b[two_calls].v;       // group: all vertices make both calls
	sum += b[two_values].v;      // divergent
	sum += b[of_vertex].v;       // divergent
	sum += b[sometimes].v;       // divergent: undefined where the function does not write it
	sum += b[some_vertices].v;   // divergent
	sum += b[after_return].v;    // divergent
	sum += b[parts.x].v;         // group
	sum += b[parts.y].v;         // divergent
	sum += b[material.albedo].v; // group
	sum += b[material.normal].v; // divergent
	sum += b[main_too].v;        // group
	sum += b[main_last].v;       // group: what main stores last
	sum += b[by_turn].v;         // divergent: vertices leave the loop at different times
	sum += b[either].v;          // divergent: which branches store it is not followed into functions
	sum += b[late].v;            // divergent: main may end before
	sum += b[by_out].v;          // group: a copy, that main makes
	color = sum;
}
