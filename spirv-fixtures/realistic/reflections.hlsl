// Screen space reflections with a fallback to probes, compute: what HLSL writes without NonUniformResourceIndex.
struct Probe { float4 box_min; float4 box_max; uint cube; uint3 pad; };
struct View { float4x4 projection; uint depth; uint color; uint probe_list; uint target; uint2 size; uint2 pad; };

cbuffer Dispatch : register(b0) { uint first_view; uint step_count; uint hiz_levels; uint history; };
StructuredBuffer<View> views : register(t0);
StructuredBuffer<Probe> probes : register(t1);
StructuredBuffer<uint> tile_probe_offsets : register(t2);
StructuredBuffer<uint> tile_probes : register(t3);
Texture2D<float> hiz[8] : register(t0, space1);
Texture2D<float4> colors[8] : register(t0, space2);
TextureCube<float4> cubes[32] : register(t0, space3);
RWTexture2D<float4> targets[8] : register(u0, space1);
RWStructuredBuffer<uint> hits : register(u0);
SamplerState smp : register(s0);
groupshared uint tile_hit;

bool march(View view, float3 from, float3 dir, out float2 hit)
{
	float3 p = from;
	for (uint i = 0; i < step_count; i++) {
		p += dir;
		float depth = hiz[view.depth].SampleLevel(smp, p.xy, min(i, hiz_levels));     // uniform: view is of the workgroup
		if (depth < p.z) {
			hit = p.xy;
			return true;
		}
	}
	hit = 0;
	return false;
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint lane : SV_GroupIndex)
{
	View view = views[first_view + group.z];
	if (lane == 0)
		tile_hit = 0;
	GroupMemoryBarrierWithGroupSync();
	float2 uv = (id.xy + 0.5) / view.size, hit;
	float depth = hiz[view.depth].Load(int3(id.xy, 0));                                   // uniform
	float3 dir = float3(uv * 2 - 1, depth);
	float4 color = 0;
	if (march(view, float3(uv, depth), dir, hit)) {
		color = colors[view.color].SampleLevel(smp, hit, 0);                          // uniform
		InterlockedAdd(tile_hit, 1);
		InterlockedAdd(hits[group.z], 1);
	} else {
		uint tile = group.y * 64 + group.x, first = tile_probe_offsets[tile], end = tile_probe_offsets[tile + 1];
		for (uint i = first; i < end; i++) {
			Probe probe = probes[tile_probes[i]];
			if (all(dir > probe.box_min.xyz) && all(dir < probe.box_max.xyz))
				color += cubes[probe.cube].SampleLevel(smp, dir, 0);          // uniform: the list is of the tile
		}
		uint own = tile_probes[id.x];
		color += 0.1 * cubes[probes[own].cube].SampleLevel(smp, dir, 2);              // divergent
	}
	GroupMemoryBarrierWithGroupSync();
	uint old = tile_hit != 0 ? history : history + 1;
	color += colors[old].SampleLevel(smp, uv, 0);                                         // uniform
	targets[view.target][id.xy] = color;                                                  // uniform
	uint other = view.target;
	[loop] while (other > first_view)
		targets[--other][id.xy] = color * 0.5;                                        // uniform
}
