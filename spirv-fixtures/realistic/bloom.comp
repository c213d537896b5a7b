#version 460
// Bloom in a single pass: mips by a loop over an array of images; the last workgroup to arrive makes the small ones.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
const int MIPS = 6;
layout(constant_id = 0) const int TAPS = 5;

layout(push_constant) uniform Push { uvec2 size; uint source, lens_dirt, group_count; float threshold; };
layout(set = 0, binding = 0) uniform sampler2D sources[8];
layout(set = 0, binding = 1, rgba16f) uniform coherent image2D mips[MIPS];
layout(set = 0, binding = 2, std430) coherent buffer Arrived { uint arrived; };
layout(set = 0, binding = 3, rgba16f) uniform writeonly image2D scratch[2];

shared uint order;
shared vec4 tile[64];

vec4 blur(uint image, vec2 at, vec2 step)
{
	vec4 sum = vec4(0);
	for (int i = -TAPS; i <= TAPS; i++)
		sum += textureLod(sources[image], at + step * float(i), 0.0);                 // uniform
	return sum / float(2 * TAPS + 1);
}

void main()
{
	uint lane = gl_LocalInvocationIndex;
	ivec2 pixel = ivec2(gl_WorkGroupID.xy * 8u + uvec2(lane & 7u, lane >> 3));
	vec2 uv = (vec2(pixel) + 0.5) / vec2(size);
	vec4 c = max(blur(source, uv, vec2(1) / vec2(size)) - threshold, 0.0);
	c *= textureLod(sources[lens_dirt], uv, 0.0);                                         // uniform
	imageStore(mips[0], pixel, c);
	tile[lane] = c;
	barrier();
	uint live = 16u;
	for (int mip = 1; mip < 4; mip++) {
		if (lane < live) {
			c = 0.25 * (tile[lane * 4u] + tile[lane * 4u + 1u] + tile[lane * 4u + 2u] + tile[lane * 4u + 3u]);
			imageStore(mips[mip], pixel >> mip, c);                               // uniform: a constant trip count
		}
		barrier();
		if (lane < live)
			tile[lane] = c;
		barrier();
		live >>= 2;
	}
	memoryBarrierImage();
	if (lane == 0u)
		order = atomicAdd(arrived, 1u);
	barrier();
	if (order != group_count - 1u)
		return;
	for (int mip = 4; mip < MIPS; mip++) {
		ivec2 small = imageSize(mips[mip]);                                           // uniform: a workgroup returns together, or not
		for (uint i = lane; i < uint(small.x * small.y); i += 64u) {
			ivec2 to = ivec2(i % uint(small.x), i / uint(small.x));
			vec4 sum = imageLoad(mips[mip - 1], to * 2) + imageLoad(mips[mip - 1], to * 2 + 1);    // uniform; uniform
			imageStore(mips[mip], to, sum * 0.5);                                 // uniform: rounds of the outer loop
		}
		memoryBarrierImage();
		barrier();
	}
	for (int mip = MIPS - 2; mip >= 0; mip--)
		imageStore(scratch[mip & 1], pixel, imageLoad(mips[mip], pixel >> mip));      // uniform; uniform
	int ping = 0;
	do {
		imageStore(scratch[ping], pixel >> 1, c);                                     // uniform
		ping = 1 - ping;
	} while (ping != 0);
}
