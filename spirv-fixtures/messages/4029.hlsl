// why: glslang gives the texture binding 5, whatever the letter of its register
// message: SPB4029
// spirv-bind: --rules=hlsl
// glslang: -D -S frag -e main --target-env vulkan1.1 -g
Texture2D tex : register(s5);
float4 main() : SV_Target { return tex.Load(0); }
