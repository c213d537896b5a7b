// SPDX-License-Identifier: Apache-2.0
// spirv-bind as a Magnum shader converter plugin, for magnum-shaderconverter and AbstractConverter.
#include "magnum_converter.h"

#include <cstdio>
#include <cstring>

namespace SpirvBind {
using namespace Magnum;

namespace {

/* Policies, locks and resolvers are read through the callback that Magnum's user has set. */
bool readFile(void *user, const char *path, const void **bytes, std::size_t *size) {
    const Converter &self = *static_cast<const Converter *>(user);
    if (!self.inputFileCallback())
        return false;
    auto data = self.inputFileCallback()(path, InputFileCallbackPolicy::LoadTemporary,
                                         self.inputFileCallbackUserData());
    if (!data)
        return false;
    *bytes = data->data();
    *size = data->size();
    return true;
}

void releaseFile(void *, const void *, std::size_t) {} /* valid until the next call, and copied by then */

void printMessage(void *, const spb_message *message) {
    std::fprintf(stderr, "ShaderTools::SpirvBind: %s: %s\n", message->module, message->text);
}
}

ShaderTools::ConverterFeatures Converter::doFeatures() const {
    return unsigned(ShaderTools::ConverterFeature::ConvertData) |
           unsigned(ShaderTools::ConverterFeature::InputFileCallback);
}

Containers::Optional<Containers::Array<char>>
Converter::doConvertDataToData(ShaderTools::Stage, Containers::ArrayView<const char> data) {
    spb_plugin_host host{};
    host.struct_size = sizeof host;
    host.user = this;
    host.read = readFile;
    host.release = releaseFile;
    host.message = printMessage;
    spb_job *job = nullptr;
    if (_plugin.create(&host, &job) != SPB_OK)
        return {};
    std::vector<std::uint32_t> words(data.size() / 4); /* Magnum's data need not be aligned */
    if (!words.empty())
        std::memcpy(words.data(), data.data(), 4 * words.size());
    bool done = true;
    for (const auto &option : options)
        done = done && _plugin.set(job, option.first.c_str(), option.second.c_str()) == SPB_OK;
    Containers::Optional<Containers::Array<char>> result;
    if (done && !words.empty() && _plugin.add(job, "shader.spv", words.data(), words.size(), 0) == SPB_OK &&
        _plugin.run(job) == SPB_OK) {
        std::size_t count;
        const char *bytes = reinterpret_cast<const char *>(_plugin.module(job, 0, &count));
        result = Containers::Array<char>(bytes, bytes + 4 * count);
    }
    _plugin.destroy(job);
    return result;
}
}
