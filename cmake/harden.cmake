# SPDX-License-Identifier: Apache-2.0
# Options that make memory errors harder to exploit, as far as the compiler and the target support them;
# test/hardening.py checks the binaries for them. On Windows, the linker's defaults are kept.
#
#     spb_harden(TARGET)           compiles with checks
#     spb_harden_program(TARGET)   and links position-independently, with tables that are read-only at run time
option(SPB_HARDEN "Build with what makes faults of memory harder to exploit" ON)
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

set(SPB_HARDENING)
set(SPB_HARDENED_LINK)
set(SPB_STATIC_LINK -static)
if(SPB_HARDEN AND UNIX AND NOT SPB_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
	foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard)
		string(MAKE_C_IDENTIFIER "SPB_HAS${flag}" known)
		check_c_compiler_flag(-Werror\ ${flag} ${known})
		if(${known})
			list(APPEND SPB_HARDENING ${flag})
		endif()
	endforeach()
	# needs an optimizer; distributions may have defined it already
	list(APPEND SPB_HARDENING $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
		$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=2>)
	set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,-z,relro -Wl,-z,now)
	check_c_source_compiles("int main(void) { return 0; }" SPB_HAS_RELRO)
	if(SPB_HAS_RELRO)
		set(SPB_HARDENED_LINK -Wl,-z,relro -Wl,-z,now)
	endif()
	set(CMAKE_REQUIRED_FLAGS -fPIE)
	set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
	check_c_source_compiles("int main(void) { return 0; }" SPB_HAS_STATIC_PIE)
	if(SPB_HAS_STATIC_PIE)
		set(SPB_STATIC_LINK -static-pie)
	endif()
	unset(CMAKE_REQUIRED_FLAGS)
	unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()

function(spb_harden target)
	target_compile_options(${target} PRIVATE ${SPB_HARDENING})
endfunction()

function(spb_harden_program target)
	spb_harden(${target})
	target_link_options(${target} PRIVATE ${SPB_HARDENED_LINK})
	set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
