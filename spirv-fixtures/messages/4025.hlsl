// why: glslang gives an array without a size one element, but it is indexed with any number
// message: SPB4025
// spirv-bind: --rules=hlsl
// glslang: -D -e main -S frag -g
Texture2D materials[] : register(t0, space1);
SamplerState linear_clamp : register(s0);

float4 main(uint material : MATERIAL, float2 uv : UV) : SV_Target
{
	return materials[material].Sample(linear_clamp, uv);
}
