# SPDX-License-Identifier: Apache-2.0
# spirv_bind_program(TARGET name SHADERS file... [HANDLES] [LOCK file] [POLICIES file...] [LAYOUT file]
#                    [HEADER file] [OUTPUT_DIRECTORY folder] [TARGET_ENV environment] [INCLUDES folder...]
#                    [DEFINES NAME[=VALUE]...] [OPTIONS option...])
#
# Compiles shaders, binds them together as one program, and tracks the files that either step reads: included files,
# policies, the lock, resolvers and their includes. Only files older than one of these are rebuilt, and bound modules
# that do not change keep their timestamps.
#
#     SHADERS            GLSL, whose suffix names the stage, or SPIR-V (.spv). GLSL is compiled with the source text
#                        inside, which tells the order of declarations; --strip-debug in OPTIONS removes it
#     HANDLES            descriptor_handle.glsl can be included
#     LOCK               bindings are kept as in this file; the target NAME-update-lock writes it
#     POLICIES           files, or built-in profiles, as with --profile
#     LAYOUT             the layout JSON is written to this file
#     HEADER             the layout is written to this C header, for targets that link name-header
#     TARGET_ENV         environment of the compiler: vulkan1.0 (the default), ..., vulkan1.3
#     OUTPUT_DIRECTORY   for the bound modules; CMAKE_CURRENT_BINARY_DIR/NAME by default
#     OPTIONS            further options of spirv-bind
#
# Makes the target `name`, whose property SPIRV_BIND_MODULES lists the bound modules in the order of SHADERS.
include_guard(GLOBAL)

# Not a variable, since the function is also called in other folders.
set_property(GLOBAL PROPERTY SPIRV_BIND_GLSL_DIRECTORY "@SPB_GLSL_FROM_PACKAGE@")

# Makes a path relative to the source folder absolute; a word that names no file there is kept.
function(_spirv_bind_absolute result path)
	get_filename_component(absolute "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
	set(${result} "${absolute}" PARENT_SCOPE)
endfunction()

# The command that compiles `source` to `module` for an environment, which may be empty, and the depfile that it writes.
function(_spirv_bind_compile source module environment)
	find_program(SPIRV_BIND_GLSL_COMPILER NAMES glslangValidator glslang glslc REQUIRED
		DOC "glslangValidator or glslc, for spirv_bind_program")
	set(flags -g ${ARGN})
	if(SPIRV_BIND_GLSL_COMPILER MATCHES "glslc[^/]*$")
		if(environment)
			list(APPEND flags "--target-env=${environment}")
		endif()
		if("${source};${module};${flags}" MATCHES " ")
			message(WARNING "spirv_bind_program: glslc does not escape blanks in depfiles, so ${source} will be "
				"compiled in each build; use glslangValidator, or folders without blanks")
		endif()
		set(command -MD -MF "${module}.d" -o "${module}" "${source}")
	else()
		if(environment)
			list(APPEND flags --target-env "${environment}")
		endif()
		set(command -V --quiet --depfile "${module}.d" -o "${module}" "${source}")
	endif()
	get_filename_component(name "${source}" NAME)
	add_custom_command(OUTPUT "${module}" DEPFILE "${module}.d" DEPENDS "${source}" VERBATIM
		COMMAND "${SPIRV_BIND_GLSL_COMPILER}" ${flags} ${command} COMMENT "Compiling ${name}")
endfunction()

function(spirv_bind_program)
	cmake_parse_arguments(PARSE_ARGV 0 arg HANDLES "TARGET;LOCK;LAYOUT;HEADER;OUTPUT_DIRECTORY;TARGET_ENV"
		"SHADERS;POLICIES;INCLUDES;DEFINES;OPTIONS")
	if(NOT arg_TARGET OR NOT arg_SHADERS)
		message(FATAL_ERROR "spirv_bind_program: TARGET and SHADERS are needed")
	elseif(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
		message(FATAL_ERROR "spirv_bind_program(TARGET ${arg_TARGET}): not understood: "
			"${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
	elseif(NOT TARGET spirv-bind::cli)
		message(FATAL_ERROR "spirv_bind_program: the command is not installed; there is no spirv-bind::cli")
	endif()
	if(NOT arg_OUTPUT_DIRECTORY)
		set(arg_OUTPUT_DIRECTORY "${arg_TARGET}")
	endif()
	get_filename_component(out "${arg_OUTPUT_DIRECTORY}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
	set(work "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${arg_TARGET}.spirv-bind")
	file(MAKE_DIRECTORY "${work}" "${out}")

	set(flags)
	if(arg_HANDLES)
		get_property(folder GLOBAL PROPERTY SPIRV_BIND_GLSL_DIRECTORY)
		list(APPEND flags "-I${folder}")
	endif()
	foreach(folder IN LISTS arg_INCLUDES)
		_spirv_bind_absolute(folder "${folder}")
		list(APPEND flags "-I${folder}")
	endforeach()
	foreach(define IN LISTS arg_DEFINES)
		list(APPEND flags "-D${define}")
	endforeach()

	set(modules)
	set(bound)
	foreach(source IN LISTS arg_SHADERS)
		_spirv_bind_absolute(source "${source}")
		get_filename_component(name "${source}" NAME)
		if(NOT name MATCHES "\\.spv$")
			string(APPEND name .spv)
			_spirv_bind_compile("${source}" "${work}/${name}" "${arg_TARGET_ENV}" ${flags})
			set(source "${work}/${name}")
		endif()
		list(APPEND modules "${source}")
		list(APPEND bound "${out}/${name}")
	endforeach()

	set(options ${arg_OPTIONS})
	foreach(policy IN LISTS arg_POLICIES)
		_spirv_bind_absolute(file "${policy}")
		if(EXISTS "${file}")
			set(policy "${file}")
		endif()
		list(APPEND options "--profile=${policy}")
	endforeach()
	set(outputs ${bound})
	if(arg_LAYOUT)
		get_filename_component(layout "${arg_LAYOUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
		list(APPEND options "--layout-json=${layout}")
		list(APPEND outputs "${layout}")
	endif()
	if(arg_HEADER)
		get_filename_component(header "${arg_HEADER}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
		list(APPEND options "--layout-header=${header}")
		list(APPEND outputs "${header}")
		get_filename_component(folder "${header}" DIRECTORY)
		file(MAKE_DIRECTORY "${folder}")
		add_library(${arg_TARGET}-header INTERFACE)
		target_include_directories(${arg_TARGET}-header INTERFACE "${folder}")
		add_dependencies(${arg_TARGET}-header ${arg_TARGET})
	endif()
	set(lock)
	if(arg_LOCK)
		_spirv_bind_absolute(arg_LOCK "${arg_LOCK}")
		# Before the lock is first written, nothing can depend on it. Writing it touches another file, which
		# makes CMake run again.
		set(is_written)
		if(EXISTS "${arg_LOCK}")
			set(lock "--lock=${arg_LOCK}")
		else()
			file(WRITE "${work}/without-lock" "")
			set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${work}/without-lock")
			set(is_written COMMAND ${CMAKE_COMMAND} -E touch "${work}/without-lock")
		endif()
		add_custom_target(${arg_TARGET}-update-lock VERBATIM DEPENDS ${modules}
			COMMAND spirv-bind::cli ${options} "--lock=${arg_LOCK}" --update-lock "--out-dir=${out}" ${modules}
			${is_written})
	endif()

	set(stamp "${work}/stamp")
	add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${outputs} DEPFILE "${stamp}.d" DEPENDS ${modules} spirv-bind::cli
		COMMAND spirv-bind::cli ${options} ${lock} "--depfile=${stamp}.d" "--stamp=${stamp}" "--out-dir=${out}"
			${modules}
		COMMENT "Binding ${arg_TARGET}" VERBATIM)
	add_custom_target(${arg_TARGET} ALL DEPENDS "${stamp}")
	set_target_properties(${arg_TARGET} PROPERTIES SPIRV_BIND_MODULES "${bound}")
endfunction()
