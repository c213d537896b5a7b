// compile: -Od --target-env vulkan1.1
// spirv-bind: --rebind=all
/* Local descriptors, as glslang leaves them without its legalisation. Arrays are copied into functions; the caller does
 * not see changes to the copy. */
RWStructuredBuffer<uint> out_data;
RWBuffer<uint> X;
RWBuffer<uint> Y;
RWBuffer<uint> Z[8];
Texture2D<float4> t[8];
Texture2D<float4> q[8];
SamplerState s;
cbuffer constants { uint4 words; }; /* word j is 1000 + j */

#define put(column, value) out_data[(column) * 8u + lane] = (uint)(value)
#define unorm(x) ((uint)((x) * 255.0 + 0.5))

void SomeFn(RWBuffer<uint> Arr[2], uint at, uint value)
{
	Arr[0] = Y;
	Arr[0][at] = value;
}

void change(RWBuffer<uint> which, uint at, uint value)
{
	which[at] = value;
}

RWBuffer<uint> choose(uint i)
{
	RWBuffer<uint> list[3];
	list[0] = X;
	list[1] = Y;
	list[2] = Z[5];
	return list[i];
}

uint read(Texture2D<float4> which)
{
	return unorm(which.Load(int3(0, 0, 0)).r);
}

[numthreads(8, 1, 1)]
void main(uint lane : SV_GroupIndex)
{
	/* the example of the seed: Y gets 1, X gets 2 */
	RWBuffer<uint> Arr[2];
	Arr[0] = X;
	Arr[1] = Y;
	SomeFn(Arr, lane, 1);
	Arr[0][lane] = 2;
	put(0, X[lane]);
	put(1, Y[lane]);

	/* a dynamic index over three resources */
	uint which = lane % 3u;
	choose(which)[8 + lane] = 5000 + lane;
	put(2, which == 0 ? X[8 + lane] : which == 1 ? Y[8 + lane] : Z[5][8 + lane]);
	put(3, which == 0 ? Y[8 + lane] : X[8 + lane]); /* 1008 + lane */

	/* a copy of a resource array, with another element in one place; the index is the same for all */
	uint three = words.w & 7u;
	RWBuffer<uint> copy[8];
	copy = Z;
	copy[3] = Z[6];
	put(4, copy[three][2]);          /* 7002 */
	put(5, copy[words.x & 7u][2]);   /* 1002 */
	change(copy[three], 8 + lane, 9000 + lane);
	put(6, Z[6][8 + lane]);

	/* textures: assigned in a branch, and by a function; which of two resources differs between lanes */
	Texture2D<float4> chosen;
	chosen = t[three];
	if (lane > 3)
		chosen = q[three];
	put(7, unorm(chosen.Load(int3(0, 0, 0)).r));
	put(8, read(chosen));
	put(9, unorm(chosen.SampleLevel(s, float2(0.5, 0.5), 0).r));
}
