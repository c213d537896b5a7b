# SPDX-License-Identifier: Apache-2.0
# spirv_bind_program(TARGET name SOURCES file... [ENTRY function] [LOCK file [LOCKED]] [HEADER file] ...)
# spirv_bind_program(TARGET name MANIFEST file [LOCK file [LOCKED]] [HEADER pattern] ...)
#
# Makes the target `name`, which binds shaders as one program, or the programs of a manifest. It runs again if a file
# that it has read changes: sources, what they include, policies, resolvers, manifests, the lock. A shader of several
# programs is compiled once, and modules that do not change keep their timestamps.
#
#     SOURCES            GLSL and HLSL, whose suffixes name the stage (lit.frag, lit.frag.hlsl), modules (.spv) and
#                        assembly. As on the command line, `-S stage` and `-e function` hold for the sources after them
#     ENTRY              the entry point of HLSL; main by default
#     MANIFEST           lists the programs, and what they share, in place of SOURCES
#     LOCK               bindings are kept as in this file, which several programs may have. The target
#                        NAME-update-lock writes it, NAME-check-lock fails if that would change it, and
#                        spirv-bind-update-locks and spirv-bind-check-locks do so for all programs
#     LOCKED             the build fails, too, if the lock would change
#     POLICIES           files, or built-in profiles, as with --profile
#     LAYOUT             the layout JSON is written to this file
#     HEADER             the layout is written to this C header, for targets that link NAME-header. For a manifest, the
#                        name of a program is put in place of %
#     REPORT             the layout is written to this page of HTML
#     TARGET_ENV         environment of the compiler: vulkan1.0 (the default), ..., vulkan1.3
#     INCLUDES, DEFINES  for the compiler
#     OUTPUT_DIRECTORY   for the bound modules; CMAKE_CURRENT_BINARY_DIR/NAME by default. Those of a manifest keep the
#                        folders of their inputs, below NAME/PROGRAM
#     OPTIONS            further options of spirv-bind
#
# Properties of the target are SPIRV_BIND_DIRECTORY and, with SOURCES, SPIRV_BIND_MODULES: the bound modules in their
# order.
include_guard(GLOBAL)

# Makes a path relative to the source folder absolute.
function(_spirv_bind_absolute result path)
	get_filename_component(absolute "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
	set(${result} "${absolute}" PARENT_SCOPE)
endfunction()

function(_spirv_bind_output result path)
	get_filename_component(absolute "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
	get_filename_component(folder "${absolute}" DIRECTORY)
	file(MAKE_DIRECTORY "${folder}")
	set(${result} "${absolute}" PARENT_SCOPE)
endfunction()

# A word of a manifest.
function(_spirv_bind_word result word)
	string(REGEX REPLACE "([\\\"])" "\\\\\\1" word "${word}")
	set(${result} " \"${word}\"" PARENT_SCOPE)
endfunction()

# The words of a program's line for its sources, and the modules that are written for them.
function(_spirv_bind_sources line modules out)
	set(words)
	set(bound)
	set(stage)
	set(option)
	foreach(source IN LISTS ARGN)
		if(option OR source MATCHES "^-[Se]$")
			if(option STREQUAL "-S")
				set(stage ".${source}")
			endif()
			if(option)
				set(option)
			else()
				set(option "${source}")
			endif()
			_spirv_bind_word(word "${source}")
			string(APPEND words "${word}")
			continue()
		elseif(source MATCHES "^-S(.+)")
			set(stage ".${CMAKE_MATCH_1}")
		endif()
		if(source MATCHES "^-")
			_spirv_bind_word(word "${source}")
			string(APPEND words "${word}")
			continue()
		endif()
		_spirv_bind_absolute(source "${source}")
		get_filename_component(name "${source}" NAME)
		if(name MATCHES "\\.spv$")
		elseif(name MATCHES "\\.spvasm$")
			string(REGEX REPLACE "asm$" "" name "${name}")
		else()
			string(APPEND name "${stage}.spv")
		endif()
		_spirv_bind_word(word "${source}")
		_spirv_bind_word(output "${out}/${name}")
		string(APPEND words "${word} -o${output}")
		list(APPEND bound "${out}/${name}")
	endforeach()
	set(${line} "${words}" PARENT_SCOPE)
	set(${modules} "${bound}" PARENT_SCOPE)
endfunction()

# The names of the programs of a manifest, and of those that it includes.
function(_spirv_bind_programs result manifest)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manifest}")
	set(names)
	file(STRINGS "${manifest}" lines REGEX "^[ \t]*(program|include)[ \t]")
	foreach(line IN LISTS lines)
		string(REGEX REPLACE "\"" "" line "${line}")
		if(line MATCHES "^[ \t]*program[ \t]+([^:]+):")
			list(APPEND names "${CMAKE_MATCH_1}")
		elseif(line MATCHES "^[ \t]*include[ \t]+(.*[^ \t])")
			get_filename_component(folder "${manifest}" DIRECTORY)
			get_filename_component(file "${CMAKE_MATCH_1}" ABSOLUTE BASE_DIR "${folder}")
			if(EXISTS "${file}")
				_spirv_bind_programs(more "${file}")
				list(APPEND names ${more})
			endif()
		endif()
	endforeach()
	set(${result} "${names}" PARENT_SCOPE)
endfunction()

# The targets that write and check the lock. Sets `lock` to the options of the build.
function(_spirv_bind_lock name file locked work)
	set(options "--lock=${file}")
	if(locked)
		list(APPEND options --locked)
	endif()
	# Before the lock is first written, nothing can depend on it. Writing it touches another file, which makes CMake
	# run again.
	set(is_written)
	if(NOT EXISTS "${file}")
		file(WRITE "${work}/without-lock" "")
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${work}/without-lock")
		set(is_written COMMAND ${CMAKE_COMMAND} -E touch "${work}/without-lock")
		if(NOT locked)
			set(options)
		endif()
	endif()
	# With a stamp, outputs that do not change keep their age, also if Make runs this.
	set(arguments ${ARGN} "--lock=${file}" "--stamp=${work}/lock-stamp")
	add_custom_target(${name}-update-lock VERBATIM
		COMMAND spirv-bind::cli ${arguments} --update-lock ${is_written})
	add_custom_target(${name}-check-lock VERBATIM COMMAND spirv-bind::cli ${arguments} --locked)
	foreach(what update check)
		if(NOT TARGET spirv-bind-${what}-locks)
			add_custom_target(spirv-bind-${what}-locks)
		endif()
		add_dependencies(spirv-bind-${what}-locks ${name}-${what}-lock)
	endforeach()
	set(lock "${options}" PARENT_SCOPE)
endfunction()

function(spirv_bind_program)
	cmake_parse_arguments(PARSE_ARGV 0 arg LOCKED
		"TARGET;MANIFEST;ENTRY;LOCK;LAYOUT;HEADER;REPORT;OUTPUT_DIRECTORY;TARGET_ENV"
		"SOURCES;POLICIES;INCLUDES;DEFINES;OPTIONS")
	set(name "${arg_TARGET}")
	if(NOT name OR (arg_SOURCES AND arg_MANIFEST) OR NOT (arg_SOURCES OR arg_MANIFEST))
		message(FATAL_ERROR "spirv_bind_program: TARGET, and either SOURCES or MANIFEST, are needed")
	elseif(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
		message(FATAL_ERROR "spirv_bind_program(TARGET ${name}): not understood: "
			"${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
	elseif(arg_MANIFEST AND arg_ENTRY)
		message(FATAL_ERROR "spirv_bind_program(TARGET ${name}): write -e ${arg_ENTRY} in the manifest")
	elseif(arg_LOCKED AND NOT arg_LOCK)
		message(FATAL_ERROR "spirv_bind_program(TARGET ${name}): LOCKED needs LOCK file")
	elseif(NOT TARGET spirv-bind::cli)
		message(FATAL_ERROR "spirv_bind_program: there is no target spirv-bind::cli, the command; "
			"building it needs jansson")
	endif()
	set(out "${name}")
	if(arg_OUTPUT_DIRECTORY)
		set(out "${arg_OUTPUT_DIRECTORY}")
	endif()
	get_filename_component(out "${out}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
	set(folder "${out}")
	if(arg_MANIFEST)
		string(APPEND out "/%")
	endif()
	set(work "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.spirv-bind")
	file(MAKE_DIRECTORY "${work}" "${folder}")
	_spirv_bind_absolute(manifest "${arg_MANIFEST}")

	set(program)            # options on the line of the program
	set(run "--out-dir=${out}") # and of the run
	set(outputs)
	foreach(kind json header report)
		string(REPLACE json LAYOUT key ${kind})
		string(TOUPPER ${key} key)
		string(REGEX REPLACE "^(json|header)$" "layout-\\1" option ${kind})
		if(NOT arg_${key})
			continue()
		endif()
		_spirv_bind_output(file "${arg_${key}}")
		set(files "${file}")
		if(arg_MANIFEST AND kind STREQUAL "header")
			if(NOT file MATCHES "%")
				message(FATAL_ERROR "spirv_bind_program(TARGET ${name}): HEADER has to contain %, "
					"in place of which the name of each program is put")
			endif()
			set(files)
			_spirv_bind_programs(programs "${manifest}")
			foreach(each IN LISTS programs)
				string(REPLACE "%" "${each}" each "${file}")
				list(APPEND files "${each}")
			endforeach()
		endif()
		list(APPEND outputs ${files})
		if(arg_MANIFEST)
			list(APPEND run "--${option}=${file}")
		else()
			_spirv_bind_word(word "--${option}=${file}")
			string(APPEND program "${word}")
		endif()
		if(kind STREQUAL "header")
			get_filename_component(include "${file}" DIRECTORY)
			add_library(${name}-header INTERFACE)
			target_include_directories(${name}-header INTERFACE "${include}")
			add_dependencies(${name}-header ${name})
		endif()
	endforeach()

	set(options ${arg_OPTIONS})
	if(arg_TARGET_ENV)
		list(APPEND options "--target-env=${arg_TARGET_ENV}")
	endif()
	# An installed command finds its headers itself; that of a vendored source is not installed.
	get_property(headers GLOBAL PROPERTY SPIRV_BIND_GLSL_DIRECTORY)
	foreach(include IN LISTS arg_INCLUDES headers)
		_spirv_bind_absolute(include "${include}")
		list(APPEND options "-I${include}")
	endforeach()
	foreach(define IN LISTS arg_DEFINES)
		list(APPEND options "-D${define}")
	endforeach()
	foreach(policy IN LISTS arg_POLICIES)
		_spirv_bind_absolute(file "${policy}")
		if(EXISTS "${file}")
			set(policy "${file}")
		endif()
		list(APPEND options "--profile=${policy}")
	endforeach()

	set(bound)
	set(inputs -m "${manifest}")
	if(arg_SOURCES)
		# As a manifest of one program, so that its lines of a lock have its name.
		set(manifest "${work}/program.manifest")
		if(arg_ENTRY)
			list(INSERT arg_SOURCES 0 -e "${arg_ENTRY}")
		endif()
		_spirv_bind_sources(line bound "${out}" ${arg_SOURCES})
		_spirv_bind_word(word "${name}:")
		file(GENERATE OUTPUT "${manifest}" CONTENT "program${word}${line}${program}\n")
		set(inputs -m "${manifest}" "--programs=*") # others may be in the lock
	endif()
	# Compiled shaders are kept there, for all programs.
	set(cache "${CMAKE_BINARY_DIR}/CMakeFiles/spirv-bind.cache")
	set_property(DIRECTORY APPEND PROPERTY ADDITIONAL_CLEAN_FILES "${cache}")
	set(command ${inputs} ${options} ${run} "--cache=${cache}")
	set(lock)
	if(arg_LOCK)
		_spirv_bind_absolute(arg_LOCK "${arg_LOCK}")
		_spirv_bind_lock(${name} "${arg_LOCK}" "${arg_LOCKED}" "${work}" ${command})
	endif()

	set(stamp "${work}/stamp")
	add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${bound} ${outputs} DEPFILE "${stamp}.d"
		DEPENDS "${manifest}" spirv-bind::cli
		COMMAND spirv-bind::cli ${command} ${lock} "--depfile=${stamp}.d" "--stamp=${stamp}"
		COMMENT "Binding ${name}" VERBATIM)
	add_custom_target(${name} ALL DEPENDS "${stamp}")
	set_target_properties(${name} PROPERTIES SPIRV_BIND_MODULES "${bound}" SPIRV_BIND_DIRECTORY "${folder}")
endfunction()
