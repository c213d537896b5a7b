// why: HLSL without source text
// message: SPB4015
// spirv-bind: --rules=hlsl
// glslang: -D -S frag -e main --target-env vulkan1.1
Texture2D a : register(t0);
Texture2D b;
float4 main() : SV_Target
{
	return a.Load(int3(0, 0, 0)) + b.Load(int3(0, 0, 0));
}
