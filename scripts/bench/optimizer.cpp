/* SPDX-License-Identifier: Apache-2.0 */
/* The step "opt" of bench_corpus: what spirv-opt without passes does to a module, in process. */
#include <vector>

#include <spirv-tools/optimizer.hpp>

extern "C" void optimize(const uint32_t *words, size_t count)
{
	static spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
	static const spvtools::OptimizerOptions options = [] {
		spvtools::OptimizerOptions o;
		o.set_run_validator(false);
		return o;
	}();
	std::vector<uint32_t> out;

	optimizer.Run(words, count, &out, options);
}
