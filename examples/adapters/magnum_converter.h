// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Magnum/ShaderTools/AbstractConverter.h>
#include <spirv-bind/plugin.h>
#include <string>
#include <utility>
#include <vector>

namespace SpirvBind {
class Converter : public Magnum::ShaderTools::AbstractConverter {
public:
    explicit Converter(const spb_plugin &plugin) : _plugin(plugin) {}
    std::vector<std::pair<std::string, std::string>> options; /* as in spirv-bind(1) */

private:
    Magnum::ShaderTools::ConverterFeatures doFeatures() const override;
    Magnum::Containers::Optional<Magnum::Containers::Array<char>>
    doConvertDataToData(Magnum::ShaderTools::Stage stage, Magnum::Containers::ArrayView<const char> data) override;

    const spb_plugin &_plugin;
};
}
