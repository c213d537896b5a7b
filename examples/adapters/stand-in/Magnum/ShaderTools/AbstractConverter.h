// SPDX-License-Identifier: Apache-2.0
// A stand-in for Magnum's header, so that the adapter compiles without Magnum: the part of the interface that it uses,
// with the standard library's containers. With Magnum, leave this folder out of the include path.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Corrade
{
namespace Containers
{
template <class T> using Array = std::vector<T>;
template <class T> using Optional = std::optional<T>;
using String = std::string;
template <class T> struct ArrayView {
	T *items;
	std::size_t count;
	T *data() const
	{
		return items;
	}
	std::size_t size() const
	{
		return count;
	}
};
} // namespace Containers
} // namespace Corrade

namespace Magnum
{
namespace Containers = Corrade::Containers;
enum class InputFileCallbackPolicy { LoadTemporary, LoadPermanent, Close };
namespace ShaderTools
{
enum class Stage { Unspecified, Vertex, Fragment, Compute };
enum class ConverterFeature : unsigned { ConvertData = 2, InputFileCallback = 8 };
using ConverterFeatures = unsigned;

class AbstractConverter
{
      public:
	using FileCallback = Containers::Optional<Containers::ArrayView<const char>> (*)(const std::string &,
											 InputFileCallbackPolicy,
											 void *);
	virtual ~AbstractConverter() = default;
	ConverterFeatures features() const
	{
		return doFeatures();
	}
	void setInputFileCallback(FileCallback callback, void *userData)
	{
		_callback = callback, _userData = userData;
	}
	FileCallback inputFileCallback() const
	{
		return _callback;
	}
	void *inputFileCallbackUserData() const
	{
		return _userData;
	}
	Containers::Optional<Containers::Array<char>> convertDataToData(Stage stage,
									Containers::ArrayView<const char> data)
	{
		return doConvertDataToData(stage, data);
	}

      private:
	virtual ConverterFeatures doFeatures() const = 0;
	virtual Containers::Optional<Containers::Array<char>>
	    doConvertDataToData(Stage, Containers::ArrayView<const char>) = 0;
	FileCallback _callback = nullptr;
	void *_userData = nullptr;
};
} // namespace ShaderTools
} // namespace Magnum
