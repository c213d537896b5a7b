/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_pipelines ICD < JOBS: each line `ID LAYOUT MODULE...`, separated by tabs. LAYOUT is a layout JSON, or `-` for
 * the layout that SPIRV-Cross reflects from the modules. Prints `ID ok`, `ID refused`, `ID left out: why` or `ID
 * crashed` for each, after what the validation layer said of it.
 *
 * A driver may crash on a module: jobs run in a child process, and another child goes on with the job after. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipelines.h"

enum { SECONDS = 300 }; /* a guard against hangs */

static const char *const wanted[] = {"VK_EXT_mesh_shader",
				     "VK_KHR_ray_tracing_pipeline",
				     "VK_KHR_acceleration_structure",
				     "VK_KHR_ray_query",
				     "VK_KHR_deferred_host_operations",
				     "VK_KHR_pipeline_library",
				     "VK_EXT_graphics_pipeline_library",
				     "VK_EXT_fragment_shader_interlock",
				     "VK_EXT_shader_atomic_float",
				     "VK_KHR_fragment_shader_barycentric",
				     "VK_EXT_shader_stencil_export",
				     "VK_EXT_post_depth_coverage",
				     "VK_EXT_shader_subgroup_ballot",
				     "VK_EXT_shader_subgroup_vote",
				     "VK_KHR_shader_clock",
				     "VK_EXT_shader_image_atomic_int64",
				     "VK_KHR_workgroup_memory_explicit_layout",
				     "VK_EXT_transform_feedback",
				     "VK_GOOGLE_hlsl_functionality1",
				     "VK_GOOGLE_user_type",
				     "VK_EXT_robustness2"};

static struct {
	VkPhysicalDeviceMeshShaderFeaturesEXT mesh;
	VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays;
	VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration;
	VkPhysicalDeviceRayQueryFeaturesKHR query;
	VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries;
	VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock;
	VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
	VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR barycentric;
	VkPhysicalDeviceShaderClockFeaturesKHR clock;
	VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT image64;
	VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroup;
	VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback;
	VkPhysicalDeviceVulkan11Features v11;
	VkPhysicalDeviceVulkan12Features v12;
	VkPhysicalDeviceVulkan13Features v13;
	VkPhysicalDeviceFeatures2 core;
} features;

/* sType and pNext stand first in every structure. */
static void link_features(const struct device *d, void *structure, VkStructureType type, const char *extension)
{
	VkBaseOutStructure *s = structure;

	s->sType = type;
	if (extension && !device_has_extension(d, extension))
		return;
	s->pNext = features.core.pNext;
	features.core.pNext = s;
}

static void open_device(struct maker *v)
{
	struct device *d = &v->device;
	const char *extensions[sizeof wanted / sizeof wanted[0]];
	VkPhysicalDeviceProperties properties;
	uint32_t count = 0;

	vkGetPhysicalDeviceProperties(d->physical, &properties);
	v->limits = properties.limits;
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		if (device_has_extension(d, wanted[i]))
			extensions[count++] = wanted[i];
	}
	features.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
#define LINK(member, type, extension)                                                                                  \
	link_features(d, &features.member, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, extension)
	LINK(v11, VULKAN_1_1_FEATURES, NULL);
	LINK(v12, VULKAN_1_2_FEATURES, NULL);
	if (d->version >= VK_API_VERSION_1_3)
		LINK(v13, VULKAN_1_3_FEATURES, NULL);
	LINK(mesh, MESH_SHADER_FEATURES_EXT, "VK_EXT_mesh_shader");
	LINK(rays, RAY_TRACING_PIPELINE_FEATURES_KHR, "VK_KHR_ray_tracing_pipeline");
	LINK(acceleration, ACCELERATION_STRUCTURE_FEATURES_KHR, "VK_KHR_acceleration_structure");
	LINK(query, RAY_QUERY_FEATURES_KHR, "VK_KHR_ray_query");
	LINK(libraries, GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, "VK_EXT_graphics_pipeline_library");
	LINK(interlock, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, "VK_EXT_fragment_shader_interlock");
	LINK(atomic_float, SHADER_ATOMIC_FLOAT_FEATURES_EXT, "VK_EXT_shader_atomic_float");
	LINK(barycentric, FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, "VK_KHR_fragment_shader_barycentric");
	LINK(clock, SHADER_CLOCK_FEATURES_KHR, "VK_KHR_shader_clock");
	LINK(image64, SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, "VK_EXT_shader_image_atomic_int64");
	LINK(workgroup, WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, "VK_KHR_workgroup_memory_explicit_layout");
	LINK(feedback, TRANSFORM_FEEDBACK_FEATURES_EXT, "VK_EXT_transform_feedback");
	vkGetPhysicalDeviceFeatures2(d->physical, &features.core);
	features.core.features.robustBufferAccess = VK_FALSE;
	features.mesh.multiviewMeshShader = features.mesh.primitiveFragmentShadingRateMeshShader = VK_FALSE;
	v->mesh = features.mesh.meshShader;
	v->ray_tracing = features.rays.rayTracingPipeline;
	v->libraries = features.libraries.graphicsPipelineLibrary;
	check(vkCreateDevice(d->physical,
			     &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
						   .pNext = &features.core,
						   .queueCreateInfoCount = 1,
						   .pQueueCreateInfos =
						       &(VkDeviceQueueCreateInfo){
							   .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
							   .queueCount = 1,
							   .pQueuePriorities = &(float){1.0f},
						       },
						   .enabledExtensionCount = count,
						   .ppEnabledExtensionNames = extensions},
			     NULL, &d->device),
	      "vkCreateDevice");
}

static const char *try_job(struct maker *v, char **paths, uint32_t count, const char *json)
{
	static struct module modules[MOST_MODULES];
	static struct slots slots;
	VkDescriptorSetLayout sets[MOST_SETS] = {0};
	const char *left_out = NULL;

	memset(modules, 0, sizeof modules);
	memset(&slots, 0, sizeof slots);
	for (uint32_t i = 0; i < count && !left_out; i++)
		left_out = reflect(&modules[i], paths[i], strcmp(json, "-") ? NULL : &slots);
	if (strcmp(json, "-") != 0)
		slots_read(&slots, json);
	left_out = left_out ? left_out : slots.unmade;
	if (!left_out) {
		VkPipelineLayout layout = slots_make(v, &slots, sets);
		left_out = slots.unmade;
		if (!left_out && !v->device.complaints)
			left_out = make_pipelines(v, modules, count, layout);
	}
	for (uint32_t i = 0; i < count; i++)
		free(modules[i].program.words);
	return left_out; /* what Vulkan made dies with the process */
}

static void run_job(struct maker *v, char *line)
{
	char *fields[2 + MOST_MODULES];
	uint32_t count = 0;

	for (char *field = strtok(line, "\t\n"); field && count < 2 + MOST_MODULES; field = strtok(NULL, "\t\n"))
		fields[count++] = field;
	if (count < 3)
		die("a job is ID, LAYOUT and modules");
	now_running = fields[0];
	v->device.complaints = 0;
	alarm(SECONDS);
	const char *left_out = try_job(v, fields + 2, count - 2, fields[1]);
	if (v->device.complaints)
		printf("\n%s\trefused\n", fields[0]);
	else if (left_out)
		printf("\n%s\tleft out: %s\n", fields[0], left_out);
	else
		printf("\n%s\tok\n", fields[0]);
	fflush(stdout);
}

static char **read_jobs(size_t *count)
{
	static char line[1 << 16];
	char **jobs = NULL;

	for (*count = 0; fgets(line, sizeof line, stdin); ++*count) {
		char **more = realloc(jobs, (*count + 1) * sizeof *jobs);
		char *copy = more ? malloc(strlen(line) + 1) : NULL;
		if (!copy)
			die("out of memory");
		jobs = more;
		jobs[*count] = strcpy(copy, line);
	}
	return jobs;
}

/* Runs jobs from `next` on; returns the number of the one that killed the child, or count. */
static size_t run_in_child(const char *icd, char **jobs, size_t next, size_t count)
{
	int report[2], status;
	size_t at = next;

	fflush(stdout);
	if (pipe(report))
		die("pipe");
	pid_t child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		static struct maker v;
		close(report[0]);
		device_choose(&v.device, icd);
		open_device(&v);
		for (; at < count; at++) {
			run_job(&v, jobs[at]);
			if (write(report[1], "", 1) != 1)
				_exit(3);
		}
		fflush(stdout);
		_exit(0);
	}
	close(report[1]);
	for (char byte; read(report[0], &byte, 1) == 1;)
		at++;
	close(report[0]);
	waitpid(child, &status, 0);
	if (at == next && WIFEXITED(status) && WEXITSTATUS(status) && at < count)
		die("no device could be opened, or the first job was malformed");
	return at;
}

int main(int argc, char **argv)
{
	size_t count;

	if (argc != 2) {
		fputs("usage: vulkan_pipelines ICD < JOBS\n", stderr);
		return 2;
	}
	if (access(argv[1], R_OK)) {
		printf("SKIPPED: no driver at '%s'\n", argv[1]);
		return 77;
	}
	char **jobs = read_jobs(&count);
	for (size_t next = 0; next < count; next++) {
		next = run_in_child(argv[1], jobs, next, count);
		if (next < count)
			printf("\n%.*s\tcrashed\n", (int)strcspn(jobs[next], "\t"), jobs[next]);
	}
	return 0;
}
