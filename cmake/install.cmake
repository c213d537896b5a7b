# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs.
include(CMakePackageConfigHelpers)

set(SPB_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/spirv-bind)
install(TARGETS ${SPB_LIBRARIES} EXPORT spirv-bind-libraries
	RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT spirv-bind-libraries NAMESPACE spirv-bind:: DESTINATION ${SPB_PACKAGE} COMPONENT development)

# The SPIRV-Tools of scripts/spirv_tools.sh has no package that users could find.
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/spirv-bind-config.cmake.in
	${PROJECT_BINARY_DIR}/package/spirv-bind-config.cmake INSTALL_DESTINATION ${SPB_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/spirv-bind-config-version.cmake
	COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/spirv-bind-config.cmake
	${CMAKE_CURRENT_LIST_DIR}/spirv-bind-program.cmake
	${PROJECT_BINARY_DIR}/package/spirv-bind-config-version.cmake
	DESTINATION ${SPB_PACKAGE} COMPONENT development)

# The libraries to link after -lspirv-bind for the static library; none for the shared one.
set(SPB_PC_PRIVATE)
if(SPB_SPIRV_TOOLS_PREFIX)
	string(APPEND SPB_PC_PRIVATE " -L${SPB_SPIRV_TOOLS_PREFIX}/lib")
endif()
if(SPB_TOOLS_ARE_STATIC)
	string(APPEND SPB_PC_PRIVATE " -lSPIRV-Tools")
else()
	string(APPEND SPB_PC_PRIVATE " -lSPIRV-Tools-shared")
endif()
foreach(library ${SPB_RUNTIME})
	string(APPEND SPB_PC_PRIVATE " -l${library}")
endforeach()
# Relative to the file, so that the prefix can be moved; absolute folders are kept.
set(SPB_PC_LIBDIR ${CMAKE_INSTALL_LIBDIR})
set(SPB_PC_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
foreach(folder LIBDIR INCLUDEDIR)
	if(NOT IS_ABSOLUTE "${SPB_PC_${folder}}")
		string(PREPEND SPB_PC_${folder} "\${prefix}/")
	endif()
endforeach()
file(RELATIVE_PATH SPB_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" SPB_PC_PREFIX "${SPB_PC_PREFIX}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/spirv-bind.pc.in ${PROJECT_BINARY_DIR}/package/spirv-bind.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/spirv-bind.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
	COMPONENT development)

install(FILES include/spirv-bind/spirv_bind.h include/spirv-bind/workspace.h include/spirv-bind/plugin.h
	include/spirv-bind/host.h
	include/spirv-bind/descriptor_handle.h include/spirv-bind/layout.schema.json
	include/spirv-bind/workspace.schema.json
	DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spirv-bind COMPONENT development)
install(FILES include/glsl/descriptor_handle.glsl include/glsl/typed_handle.glsl
	include/glsl/assert_uniform.glsl
	DESTINATION ${CMAKE_INSTALL_DATADIR}/spirv-bind/glsl COMPONENT command)
install(FILES include/slang/descriptor_handle.slang DESTINATION ${CMAKE_INSTALL_DATADIR}/spirv-bind/slang
	COMPONENT command)
install(FILES include/hlsl/descriptor_handle.hlsli DESTINATION ${CMAKE_INSTALL_DATADIR}/spirv-bind/hlsl COMPONENT command)
install(DIRECTORY include/glsl/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/spirv-bind/glsl COMPONENT command)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)

if(SPB_BUILD_CLI)
	# A separate package, so that the libraries can be used without the command.
	install(TARGETS spirv-bind-cli EXPORT spirv-bind-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
		COMPONENT command)
	install(EXPORT spirv-bind-command NAMESPACE spirv-bind:: DESTINATION ${SPB_PACKAGE} COMPONENT command)
	file(GLOB SPB_MAN_PAGES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/man/*.1)
	install(FILES src/cli/spirv-bind.1 ${SPB_MAN_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
	# The folders in which the shells look for completions.
	install(FILES src/cli/completions/spirv-bind.bash COMPONENT command
		DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME spirv-bind)
	install(FILES src/cli/completions/_spirv-bind COMPONENT command
		DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
	install(FILES src/cli/completions/spirv-bind.fish COMPONENT command
		DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

if(SPB_BUILD_LAYER)
	set(SPB_LAYER_FOLDER ${CMAKE_INSTALL_LIBDIR}/spirv-bind) # nothing links it
	install(TARGETS spirv-bind-layer LIBRARY DESTINATION ${SPB_LAYER_FOLDER} COMPONENT layer)
	# relative to its manifest, so that the prefix can be moved
	set(SPB_LAYER_MANIFESTS ${CMAKE_INSTALL_DATADIR}/vulkan/explicit_layer.d)
	file(RELATIVE_PATH SPB_LAYER_LIBRARY ${CMAKE_INSTALL_PREFIX}/${SPB_LAYER_MANIFESTS}
		${CMAKE_INSTALL_FULL_LIBDIR}/spirv-bind/libVkLayer_spirv_bind.so)
	configure_file(${SPB_LAYER}/VkLayer_spirv_bind.json.in ${PROJECT_BINARY_DIR}/package/VkLayer_spirv_bind.json @ONLY)
	install(FILES ${PROJECT_BINARY_DIR}/package/VkLayer_spirv_bind.json DESTINATION ${SPB_LAYER_MANIFESTS}
		COMPONENT layer)
endif()
