/* SPDX-License-Identifier: Apache-2.0 */
/* A program in OpenGL whose shaders select a descriptor by invocation: a sampler of an array, a bindless handle, and a
 * buffer of an array. Under zink, each becomes an access to an array of descriptors that zink does not mark. Prints the
 * renderer, and for each how many of 32 values are right. */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, DESCRIPTORS = 8, BUFFERS = 7, STEP = 5 };

static const struct {
	const char *name, *source;
	unsigned count; /* of descriptors; the value of number n is 10 * (n + 1) */
} cases[] = {
    {"samplers",
     "#version 450\n"
     "layout(local_size_x = 32) in;\n"
     "layout(binding = 0) uniform sampler2D textures[8];\n"
     "layout(std430, binding = 0) buffer Out { uint values[]; };\n"
     "void main() {\n"
     "	uint i = gl_LocalInvocationIndex;\n"
     "	values[i] = uint(textureLod(textures[i * 5u & 7u], vec2(0.5), 0.0).x);\n"
     "}\n",
     DESCRIPTORS},
    {"handles",
     "#version 450\n"
     "#extension GL_ARB_bindless_texture : require\n"
     "layout(local_size_x = 32) in;\n"
     "layout(binding = 0, std140) uniform Handles { uvec4 handles[8]; };\n"
     "layout(std430, binding = 0) buffer Out { uint values[]; };\n"
     "void main() {\n"
     "	uint i = gl_LocalInvocationIndex;\n"
     "	values[i] = uint(textureLod(sampler2D(handles[i * 5u & 7u].xy), vec2(0.5), 0.0).x);\n"
     "}\n",
     DESCRIPTORS},
    {"buffers",
     "#version 450\n"
     "layout(local_size_x = 32) in;\n"
     "layout(std430, binding = 1) buffer In { uint value; } buffers[7];\n"
     "layout(std430, binding = 0) buffer Out { uint values[]; };\n"
     "void main() {\n"
     "	uint i = gl_LocalInvocationIndex;\n"
     "	values[i] = buffers[i * 5u % 7u].value;\n"
     "}\n",
     BUFFERS},
};

static void make_context(void)
{
	static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE};
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
	EGLContext context;

	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
	    !(context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version)) ||
	    !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
		fprintf(stderr, "there is no context for OpenGL 4.5\n");
		exit(1);
	}
	printf("%s\n", (const char *)glGetString(GL_RENDERER));
}

static void make_textures(void)
{
	PFNGLGETTEXTUREHANDLEARBPROC get = (PFNGLGETTEXTUREHANDLEARBPROC)eglGetProcAddress("glGetTextureHandleARB");
	PFNGLMAKETEXTUREHANDLERESIDENTARBPROC reside =
	    (PFNGLMAKETEXTUREHANDLERESIDENTARBPROC)eglGetProcAddress("glMakeTextureHandleResidentARB");
	uint64_t handles[2 * DESCRIPTORS] = {0};
	GLuint textures[DESCRIPTORS], buffer;

	glCreateTextures(GL_TEXTURE_2D, DESCRIPTORS, textures);
	for (GLuint n = 0; n < DESCRIPTORS; n++) {
		const float texel[4] = {10.0f * (float)(n + 1), 0, 0, 0};
		glTextureStorage2D(textures[n], 1, GL_RGBA32F, 1, 1);
		glTextureSubImage2D(textures[n], 0, 0, 0, 1, 1, GL_RGBA, GL_FLOAT, texel);
		glTextureParameteri(textures[n], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
		glTextureParameteri(textures[n], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
		glBindTextureUnit(n, textures[n]);
		handles[2 * n] = get(textures[n]);
		reside(handles[2 * n]);
	}
	glCreateBuffers(1, &buffer);
	glNamedBufferStorage(buffer, sizeof handles, handles, 0);
	glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
}

static void make_buffers(void)
{
	GLuint buffers[BUFFERS];

	glCreateBuffers(BUFFERS, buffers);
	for (GLuint n = 0; n < BUFFERS; n++) {
		const uint32_t value[4] = {10 * (n + 1)};
		glNamedBufferStorage(buffers[n], sizeof value, value, 0);
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, n + 1, buffers[n]);
	}
}

int main(void)
{
	make_context();
	make_textures();
	make_buffers();
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &cases[k].source), out;
		uint32_t values[LANES];
		unsigned right = 0;
		GLint linked;
		glGetProgramiv(program, GL_LINK_STATUS, &linked);
		if (!linked) {
			fprintf(stderr, "%s: the shader is refused\n", cases[k].name);
			return 1;
		}
		glCreateBuffers(1, &out);
		glNamedBufferStorage(out, sizeof values, NULL, 0);
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, out);
		glUseProgram(program);
		glDispatchCompute(1, 1, 1);
		glMemoryBarrier(GL_ALL_BARRIER_BITS);
		glGetNamedBufferSubData(out, 0, sizeof values, values);
		for (unsigned i = 0; i < LANES; i++)
			right += values[i] == 10 * (i * STEP % cases[k].count + 1);
		printf("%s: %u of %d are right\n", cases[k].name, right, LANES);
	}
	return 0;
}
