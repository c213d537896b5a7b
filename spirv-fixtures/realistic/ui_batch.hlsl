// Text and interface in one draw: each instance is a rectangle with a texture of its own. NonUniformResourceIndex is left out.
struct Rect { float4 place; float4 uv; uint texture_id; uint sampler_id; uint kind; uint clip; };
struct Clip { float4 bounds; uint mask; uint3 pad; };
struct Varying {
	float4 position : SV_Position;
	float2 uv : UV;
	nointerpolation uint texture_id : TEXTURE;
	nointerpolation uint kind : KIND;
	nointerpolation uint clip : CLIP;
};

cbuffer Screen : register(b0) { float2 size; uint font_atlas; uint font_count; uint4 fonts; uint background; uint theme_sampler; };
StructuredBuffer<Clip> clips : register(t0);
Texture2D<float4> textures[64] : register(t0, space1);
Texture2D<float> masks[16] : register(t0, space2);
SamplerState samplers[4] : register(s0);

float sdf(Texture2D<float4> atlas, float2 uv)
{
	float d = atlas.SampleLevel(samplers[0], uv, 0).r;
	return saturate((d - 0.5) / max(fwidth(uv.x), 0.0001) + 0.5);
}

float4 main(Varying v) : SV_Target
{
	Clip clip_area = clips[v.clip];
	if (any(v.position.xy < clip_area.bounds.xy) || any(v.position.xy > clip_area.bounds.zw))
		discard;
	float4 color = 1;
	if (v.kind == 0)
		color.a = sdf(textures[font_atlas], v.uv);                                    // uniform
	else if (v.kind == 1)
		color = textures[v.texture_id].Sample(samplers[theme_sampler], v.uv);         // divergent; uniform
	else
		for (uint i = 0; i < font_count; i++)
			color *= textures[fonts[i]].SampleLevel(samplers[i & 1], v.uv, 0);    // uniform; uniform
	if (clip_area.mask != 0)
		color.a *= masks[clip_area.mask].SampleLevel(samplers[1], v.position.xy / size, 0);   // divergent
	[branch] if (background != 0)
		color.rgb += textures[background].SampleLevel(samplers[theme_sampler], v.position.xy / size, 0).rgb * (1 - color.a);   // uniform; uniform
	return color;
}
