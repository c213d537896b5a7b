/* Descriptors in locals, structs and results: HLSL has them, Vulkan has not. */
struct Layer { Texture2D map; SamplerState filtered; float weight; };

Texture2D rock, sand, grass[3];
SamplerState repeat, clamp;
RWTexture2D<float4> target;
RWBuffer<uint> hits, misses;
cbuffer Settings { uint kind; uint layer; float amount; };

Texture2D pick(uint i)
{
	if (i == 0)
		return rock;
	if (i == 1)
		return sand;
	return grass[i - 2];
}

float4 sample_layer(Layer l, float2 at)
{
	return l.map.SampleLevel(l.filtered, at, 0) * l.weight;
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
	float2 at = float2(id.xy) / 512.0;
	Layer l;
	l.map = pick(kind);
	l.filtered = repeat;
	if (at.x > 0.5)
		l.filtered = clamp;
	l.weight = amount;
	float4 c = sample_layer(l, at);

	Texture2D cycle = rock;
	for (uint i = 0; i < layer; i++) {
		c += cycle.Load(int3(id.xy, 0)) * 0.1;
		cycle = grass[i % 3];
	}
	RWBuffer<uint> count[2];
	count[0] = hits;
	count[1] = misses;
	uint before;
	InterlockedAdd(count[c.x > 0.5 ? 0 : 1][id.x & 63], 1, before);
	target[id.xy] = c;
}
