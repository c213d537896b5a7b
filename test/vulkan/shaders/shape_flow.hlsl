// compile: --target-env vulkan1.1
// spirv-bind: --rebind=all
/* Descriptors that go through OpPhi and OpSelect, as glslang's legalisation leaves them. The selected descriptors
 * differ between lanes, although no index in the source does. */
RWStructuredBuffer<uint> out_data;
Texture2D<float4> t[8];
Texture2D<float4> q[8];
SamplerState s[4];
RWBuffer<uint> X;
RWBuffer<uint> Y;
RWTexture2D<uint> m[8];
cbuffer constants { uint4 words; }; /* word j is 1000 + j */

#define put(column, value) out_data[(column) * 8u + lane] = (uint)(value)
#define unorm(x) ((uint)((x) * 255.0 + 0.5))

Texture2D<float4> pick(uint i)
{
	if (i == 0)
		return t[0];
	if (i == 1)
		return t[1];
	if (i == 2)
		return q[2];
	return t[3];
}

uint fetch(Texture2D<float4> which)
{
	return unorm(which.Load(int3(0, 0, 0)).r);
}

uint width(Texture2D<float4> which)
{
	uint w, h;
	which.GetDimensions(w, h);
	return w;
}

[numthreads(8, 1, 1)]
void main(uint lane : SV_GroupIndex)
{
	/* two of one array */
	Texture2D<float4> a = t[0];
	if (lane & 1)
		a = t[4];
	put(0, fetch(a) - (lane & 1) * 4);

	/* one of two resources, in a loop that lanes leave at different times */
	Texture2D<float4> b = t[0];
	for (uint n = 0; n < lane; n++)
		b = (n & 1) ? t[6] : q[5];
	put(1, fetch(b) - (lane == 0 ? 0 : (lane - 1) & 1 ? 6 : 5));

	/* of four, returned by a function; index and sampler too */
	Texture2D<float4> c = pick(lane & 3);
	put(2, fetch(c) - (lane & 3));
	SamplerState chosen = s[0];
	if (lane & 1)
		chosen = s[2]; /* transparent black outside against the edge's texel: n % 4 = 0 addresses to the edge */
	float4 outside = t[7].SampleLevel(chosen, float2(0.5, 0.5), 0);
	put(3, unorm(outside.r));
	put(4, unorm(c.SampleLevel(chosen, float2(0.5, 0.5), 0).r) - (lane & 3));

	/* writes go to one of two */
	RWBuffer<uint> w = X;
	if (lane & 1)
		w = Y;
	w[lane] = 5000 + lane;
	put(5, (lane & 1) ? Y[lane] : X[lane]);
	put(6, (lane & 1) ? X[lane] : Y[lane]); /* 1000 + lane */

	/* images of one array: read, written, counted */
	RWTexture2D<uint> i = m[1];
	if (lane & 2)
		i = m[2];
	put(7, i[uint2(0, 3)] - (lane >> 1 & 1));
	uint before;
	InterlockedAdd(i[uint2(lane & 3, lane >> 2)], 100u, before);
	put(8, before - (lane >> 1 & 1));
	put(9, (lane & 2) ? m[2][uint2(lane & 3, lane >> 2)] - 1 : m[1][uint2(lane & 3, lane >> 2)]);
	put(10, width(a) - (lane & 1) * 4);
}
