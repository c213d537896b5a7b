/* SPDX-License-Identifier: Apache-2.0 */
/* profiles: common numbering schemes, in the policy language. */
#include "base/lines.h"
#include "analysis/layout/policy.h"

static const struct {
	const char *name, *text;
} profiles[] = {
    /* the offsets of NVRHI and Donut, for hosts ported from Direct3D 12 */
    {"dx12-shifts", "option rules=hlsl\n"
		    "shift class=t by=0\n"
		    "shift class=s by=128\n"
		    "shift class=b by=256\n"
		    "shift class=u by=384\n"},
    {"one-set", "place -> set=0 binding=auto\n"},
    /* four sets: the minimum that every Vulkan device supports */
    {"set-per-kind", "place kind=ubo -> set=0 binding=auto\n"
		     "place kind=texture,combined,utexbuf,input-attachment -> set=1 binding=auto\n"
		     "place kind=sampler -> set=2 binding=auto\n"
		     "place kind=image,stexbuf,ssbo,as,tensor -> set=3 binding=auto\n"},
    /* SDL_CreateGPUShader, SDL_CreateGPUComputePipeline: stages share neither sets nor resources */
    {"sdl3gpu",
     "option merge=no\n"
     "refuse kind=texture,sampler -> say=\"SDL_GPU binds combined image-samplers only; use --merge-combined\"\n"
     "refuse kind=utexbuf,stexbuf,as,input-attachment,tensor -> say=\"SDL_GPU has no such resource\"\n"
     "refuse stage=vertex,fragment kind=image,ssbo access=write "
     "-> say=\"SDL_GPU shaders read storage only; declare it readonly, or write it from a compute shader\"\n"
     "place stage=vertex kind=combined -> set=0 order=0 binding=auto\n"
     "place stage=vertex kind=image -> set=0 order=1 binding=auto\n"
     "place stage=vertex kind=ssbo -> set=0 order=2 binding=auto\n"
     "place stage=vertex kind=ubo -> set=1 binding=auto\n"
     "place stage=fragment kind=combined -> set=2 order=0 binding=auto\n"
     "place stage=fragment kind=image -> set=2 order=1 binding=auto\n"
     "place stage=fragment kind=ssbo -> set=2 order=2 binding=auto\n"
     "place stage=fragment kind=ubo -> set=3 binding=auto\n"
     "place stage=compute kind=combined -> set=0 order=0 binding=auto\n"
     "place stage=compute kind=image access=read -> set=0 order=1 binding=auto\n"
     "place stage=compute kind=ssbo access=read -> set=0 order=2 binding=auto\n"
     "place stage=compute kind=image access=write -> set=1 order=0 binding=auto\n"
     "place stage=compute kind=ssbo access=write -> set=1 order=1 binding=auto\n"
     "place stage=compute kind=ubo -> set=2 binding=auto\n"
     "refuse -> say=\"SDL_GPU has vertex, fragment and compute shaders only\"\n"},
    /* how DXC and LLVM number resources in SPIR-V: one number space per set */
    {"dxc", "option fixed=registers structs=data-last arrays=each-with-structs counters=last heaps=default-set "
	    "unused=count\n"},
    {"dxc-flattened",
     "option fixed=registers structs=data-last arrays=each counters=last heaps=default-set unused=count\n"},
    {"dxc-auto-shift", "option fixed=registers shift=base structs=data-last arrays=each-with-structs counters=last "
		       "heaps=default-set unused=count\n"},
    /* glslang's --auto-map-bindings, and shaderc's -fauto-bind-uniforms, which number each stage separately */
    {"glslang", "option fixed=registers shift=base sets=first structs=together arrays=one unused=last\n"},
    {"llvm", "option fixed=registers structs=apart arrays=one counters=beside heaps=default-set unused=remove\n"},
};

const char *spb_profile_name(uint32_t index)
{
	return index < SPB_COUNT(profiles) ? profiles[index].name : NULL;
}

static noreturn void no_profile(struct spb_context *c, const char *name)
{
	const struct spb_lines all = {.c = c, .file = name, .code = SPB_E_POLICY, .pass = "policy"};
	struct spb_text_buffer known = {.arena = &c->scratch};

	for (uint32_t i = 0; spb_profile_name(i); i++)
		spb_text_format(&known, i ? ", %s" : "%s", spb_profile_name(i));
	spb_line_wrong(&all, "unknown profile" SPB_REMEDY "The built-in ones are %s.", spb_text_end(&known));
}

const char *spb_profile_text(struct spb_context *c, const char *name)
{
	for (size_t i = 0; i < SPB_COUNT(profiles); i++) {
		if (!strcmp(profiles[i].name, name))
			return profiles[i].text;
	}
	no_profile(c, name);
}
