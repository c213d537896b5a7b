// SPDX-License-Identifier: Apache-2.0
// The public headers compile and link as C++.
#include "spirv-bind/descriptor_handle.h"
#include "spirv-bind/host.h"
#include "spirv-bind/plugin.h"
#include "spirv-bind/spirv_bind.h"
#include "spirv-bind/workspace.h"

int main()
{
	spb_context *context = nullptr;
	spb_options options;

	spb_options_init(&options, sizeof options);
	if (spb_context_create(nullptr, nullptr, &context) != SPB_OK)
		return 1;
	const spb_block *blocks;
	const spb_member *members;
	if (spb_program_blocks(nullptr, sizeof *blocks, &blocks) ||
	    spb_program_members(nullptr, sizeof *members, &members))
		return 1;
	spb_context_destroy(context);
	if (spb_handle_is_valid(spb_handle_from_uint64(spb_handle_to_uint64(spb_handle_null()))))
		return 1;
	return spb_version() == (SPB_VERSION_MAJOR << 16 | SPB_VERSION_MINOR << 8 | SPB_VERSION_PATCH) ? 0 : 1;
}
