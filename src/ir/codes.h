/* SPDX-License-Identifier: Apache-2.0 */
/* Every code a message can carry. Numbers never change and are never used again for something else. */
#ifndef SPB_CODES_H
#define SPB_CODES_H

enum spb_code {
	/* 1xxx: the module cannot be read */
	SPB_E_TOO_SHORT = 1001,
	SPB_E_MAGIC = 1002,
	SPB_E_VERSION = 1003,
	SPB_E_BOUND = 1004,
	SPB_E_TOO_LONG = 1005,
	SPB_E_WORD_COUNT = 1006, /* of an instruction          */
	SPB_E_OPERANDS = 1007,   /* do not fit the grammar     */
	SPB_E_ID_RANGE = 1008,   /* 0 or not below the bound   */
	SPB_E_ID_TWICE = 1009,   /* defined twice              */
	SPB_E_ID_UNDEFINED = 1010,
	SPB_E_NOT_A_TYPE = 1011,
	SPB_E_SECTION = 1012,  /* out of place in the module */
	SPB_E_FUNCTION = 1013, /* function structure         */
	SPB_E_NOT_A_CONSTANT = 1014,
	SPB_E_DECORATION_GROUP = 1015,

	/* 2xxx: shapes of resources and of the ways to them */
	SPB_E_SHAPE_PART = 2001,    /* of a struct or array of resources        */
	SPB_E_UNSIZED_INNER = 2002, /* only the first dimension may be unsized  */
	SPB_E_UNASSIGNED = 2003,    /* a local descriptor is read, but never set */
	SPB_E_FLOW = 2004,          /* a descriptor reaches an instruction that is not handled */
	SPB_E_TOO_MUCH = 2005,
	SPB_E_SHAPE_UNKNOWN_OPS = 2006,
	SPB_E_UNSIZED_LOCAL = 2007,
	SPB_E_TYPES = 2008, /* an instruction does not fit its types */

	/* 21xx: combined image-samplers, split and merged */
	SPB_E_SPLIT_FLOW = 2101, /* the value or pointer reaches an instruction that is not handled */
	SPB_E_SPLIT_CALL = 2102, /* an element of an array is passed to a function                  */
	SPB_E_COMBINED_UNKNOWN_OPS = 2103,
	SPB_E_MERGE_NAME = 2111,  /* in no module, or of two variables           */
	SPB_E_MERGE_KIND = 2112,  /* not a texture, not a sampler                */
	SPB_E_MERGE_INDEX = 2113, /* the sampler of an array is chosen otherwise */
	SPB_E_MERGE_CALL = 2114,  /* the pair is made in a function it is passed to */

	/* 3xxx: DescriptorHandles */
	SPB_E_HANDLE_INSTRUCTION = 3001, /* number not known, or not handled yet */
	SPB_E_HANDLE_TYPE = 3002,        /* not a uint2                          */
	SPB_E_HANDLE_KIND = 3003,        /* no heap holds such a descriptor      */
	SPB_E_HANDLE_FLOW = 3004,        /* the value reaches an instruction that is not handled */
	SPB_E_HANDLE_UNKNOWN_OPS = 3005,
	SPB_E_HANDLE_LEFT = 3006, /* after all passes                     */

	/* 31xx: functions that say which descriptor a handle names */
	SPB_E_RESOLVER_NONE = 3101, /* a resolver defines none              */
	SPB_E_RESOLVER_SIGNATURE = 3102,
	SPB_E_RESOLVER_TWICE = 3103,
	SPB_E_RESOLVER_RECURSION = 3104,
	SPB_E_RESOLVER_IMPORT = 3105, /* calls what has no body               */
	SPB_E_RESOLVER_UNKNOWN_OPS = 3106,
	SPB_E_RESOLVER_VERSION = 3107, /* of SPIR-V                            */
	SPB_E_RESOLVER_MODEL = 3108,   /* addressing or memory model           */
	SPB_E_RESOLVER_GLOBAL = 3109,  /* a variable that cannot be merged     */
	SPB_E_RESOLVER_SPEC = 3110,    /* the number of another specialization constant */
	SPB_E_RESOLVER_BODY = 3111,    /* an id out of its place               */

	/* 32xx: the heaps of SPV_EXT_descriptor_heap */
	SPB_E_HEAP_FLOW = 3201,      /* a pointer that it does not have      */
	SPB_E_HEAP_VERSION = 3202,   /* SPIR-V is too old                    */
	SPB_E_HEAP_QUALIFIER = 3203, /* has no place                         */

	/* 4xxx: bindings */
	SPB_E_OVERLAP = 4001,
	SPB_E_TYPE_MISMATCH = 4002,
	SPB_E_PLACE_MISMATCH = 4003,
	SPB_E_NO_NAMES = 4004,
	SPB_E_ORDER_FALLBACK = 4005,
	SPB_E_HEAP_SET_TAKEN = 4006,
	SPB_E_NO_ROOM = 4007,
	SPB_E_SHAPE = 4008, /* a resource Vulkan cannot bind */
	SPB_E_INDEX_RANGE = 4009,
	SPB_E_POLICY = 4010,     /* a line that cannot be read       */
	SPB_E_LOCK = 4011,       /* the same                         */
	SPB_E_LOCK_MOVED = 4012, /* a module fixes another place     */
	SPB_E_LAST_REGISTER = 4013,
	SPB_E_BLOCK = 4014,     /* a parameter block cannot be made */
	SPB_E_REGISTERS = 4015, /* of HLSL, cannot be told          */
	SPB_E_SHARED = 4016,    /* one place, claimed twice: fine   */
	SPB_E_POLICY_NO_MATCH = 4017,
	SPB_E_POLICY_REFUSED = 4018,
	SPB_E_SHIFT = 4019, /* leads beyond the last binding    */
	SPB_E_NOT_LOCKED = 4020,
	SPB_E_PLACED_BEFORE = 4021,

	/* 5xxx: uniformity */
	SPB_E_UNMARKED = 5001,      /* differs, and is not marked NonUniform             */
	SPB_E_MAY_DIFFER = 5002,    /* nothing is known, and it is not marked            */
	SPB_E_NO_REMEDY = 5003,     /* differs where it must not, marked or not          */
	SPB_E_MORE_UNMARKED = 5004, /* there are more of them than are told               */

	/* 51xx: loops around accesses (waterfall) */
	SPB_E_WATERFALL_KEPT = 5101, /* an access that cannot be put into a loop */
	SPB_E_WATERFALL_UNKNOWN_OPS = 5102,

	/* 6xxx: validation */
	SPB_E_INVALID_OUTPUT = 6001,
	SPB_E_INVALID_INPUT = 6002,
	SPB_E_NOT_VALIDATABLE = 6003,

	SPB_E_INTERNAL = 9001
};

#endif
