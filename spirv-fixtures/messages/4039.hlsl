// why: a pipeline may give the array more elements, each of which takes a register
// message: SPB4039
// spirv-bind: --rules=hlsl
// glslang: -D -S frag -e main -g
[[vk::constant_id(1)]] const int COUNT = 4;
Texture2D maps[COUNT];
Texture2D other;
float4 main() : SV_Target { return maps[1].Load(0) + other.Load(0); }
