#version 450
layout(constant_id = 0) const float brightness = 1;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 1) uniform Material { vec3 tint; float gradient; };
layout(set = 1) uniform sampler2D patterns[2];
layout(push_constant) uniform Push { vec2 offset; uint pattern; };

void main()
{
	color = vec4(texture(patterns[pattern], uv).rgb * tint * brightness + vec3(uv, 0) * gradient, 1);
}
