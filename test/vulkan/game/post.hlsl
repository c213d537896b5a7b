// SPDX-License-Identifier: Apache-2.0
// The heaps under their names in DXC's modules. glslang, which compiles this here, has no ResourceDescriptorHeap of its own.
struct Material { uint2 albedo, smp; };
StructuredBuffer<Material> materials;
RWStructuredBuffer<uint> Log;
[[vk::binding(2, 1)]] Texture2D ResourceDescriptorHeap[];
[[vk::binding(0, 1)]] SamplerState SamplerDescriptorHeap[];
uint4 main(float4 at : SV_Position, [[vk::location(0)]] float2 uv : UV, [[vk::location(1)]] nointerpolation uint brightness : B) : SV_Target
{
	uint pixel = (uint)at.x + 4u * (uint)at.y;
	Material m = materials[pixel ^ 3u];
	float4 c = ResourceDescriptorHeap[m.albedo.x].Sample(SamplerDescriptorHeap[m.smp.x], uv);
	Log[pixel] = (uint)(c.x * 255.0 + 0.5) + brightness;
	return Log[pixel];
}
