// Registers as an HLSL author leaves them: some given, most not, one of each class at 0, and one that nothing uses.
Texture2D<float4> source;
Texture2D<float> depth : register(t0);
Texture2D<float4> unused : register(t1);
SamplerState linear_clamp : register(s0);
RWTexture2D<float4> target : register(u0);
RWStructuredBuffer<uint> histogram;
AppendStructuredBuffer<uint2> bright;
cbuffer Settings : register(b0) { float2 size; float radius; uint taps; };
cbuffer Frame { uint frame; };

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
	float4 sum = 0;
	for (uint i = 0; i < taps; i++) {
		float2 at = (float2(id.xy) + radius * float(i)) / size;
		sum += source.SampleLevel(linear_clamp, at, 0) * depth.SampleLevel(linear_clamp, at, 0);
	}
	target[id.xy] = sum / float(taps);
	InterlockedAdd(histogram[frame], uint(sum.x));
	if (sum.y > 1.0)
		bright.Append(id.xy);
}
