# SPDX-License-Identifier: Apache-2.0
"""The kinds of descriptors behind handles, and their uses.

Kinds of a class are treated alike; the variants of a class (dimension, component type, format) alternate over flows,
dialects and versions, so that each meets each."""

DIMS = {  # OpTypeImage's dim, arrayed, ms; coordinates; of sampling, of fetching, the size
    "1D": ("1D", 0, 0, 1, 1, 1), "2D": ("2D", 0, 0, 2, 2, 2), "3D": ("3D", 0, 0, 3, 3, 3),
        "Cube": ("Cube", 0, 0, 3, 0, 2),
    "1DArray": ("1D", 1, 0, 2, 2, 2), "2DArray": ("2D", 1, 0, 3, 3, 3), "CubeArray": ("Cube", 1, 0, 4, 0, 3),
    "2DMS": ("2D", 0, 1, 0, 2, 2), "2DMSArray": ("2D", 1, 1, 0, 3, 3), "Buffer": ("Buffer", 0, 0, 0, 1, 1)}
SHADOW = ["1D", "2D", "Cube", "1DArray", "2DArray", "CubeArray"]
FORMATS = {"float": ["R32f", "Rgba8", "Rgba32f", "Rg16f"], "int": ["R32i", "Rgba32i"], "uint": ["R32ui", "Rgba8ui"]}
EXTENDED = {"Rg16f"}
COMPONENTS = ["float", "int", "uint"]


class Kind:
    """One variant of a class. `type` makes the type of the value; `use` emits its use."""
    dialects = ("ext", "nv32", "nv64", "import", "mixed")
    flags = ""          # for the driver: options
    bound = True        # a variable of this type may be bound without a handle
    least, most = 0, 6  # SPIR-V versions
    pointer = False     # a pointer to a block, not an opaque value

    def __init__(self, name):
        self.name = name

    def heaps(self, need, dialect, nature, chooses):
        """For each kind of heap, whether accesses to it need decorations."""
        return dict.fromkeys(["texture", "combined", "image", "stexbuf", "utexbuf", "as", "buffer"], need)


def image_type(m, component, dim, sampled, depth=0, format="Unknown"):
    d = DIMS[dim]
    if dim == "Buffer":
        m.capability("SampledBuffer" if sampled == 1 else "ImageBuffer")
    elif d[0] == "1D":
        m.capability("Sampled1D" if sampled == 1 else "Image1D")
    elif dim == "CubeArray":
        m.capability("SampledCubeArray" if sampled == 1 else "ImageCubeArray")
    elif d[2] and sampled == 2:
        m.capability("StorageImageMultisample")
        if d[1]:
            m.capability("ImageMSArray")
    if format in EXTENDED:
        m.capability("StorageImageExtendedFormats")
    return m.type("OpTypeImage %s %s %d %d %d %d %s" % (m.scalar(component), d[0], depth, d[1], d[2], sampled, format))


def coordinate(m, component, n):
    return m.many(m.scalar(component), [m.i(0)] * n if component == "int" else [m.f(0)] * n)


class Results:
    """The words of results go to the buffer `out`."""

    def __init__(self, m):
        self.m, self.n = m, 0

    def put(self, value, component, vector=True):
        m = self.m
        if vector:
            value = m.value("OpCompositeExtract", m.scalar(component), value, "0")
        if component != "uint":
            value = m.value("OpBitcast", m.uint, value)
        m.store_result(value, self.n)
        self.n += 1


def query_size(m, r, dim, image, lod):
    m.capability("ImageQuery")
    n = DIMS[dim][5]
    type = m.vector(m.int(), n)
    size = m.value("OpImageQuerySizeLod", type, image, m.i(0)) if lod else m.value("OpImageQuerySize", type, image)
    r.put(size, "int", n > 1)


def fetch(m, r, dim, component, image):
    d = DIMS[dim]
    more = ("Sample", m.i(0)) if d[2] else () if dim == "Buffer" else ("Lod", m.i(0))
    r.put(m.value("OpImageFetch", m.vector(m.scalar(component), 4), image, coordinate(m, "int", d[4]), *more),
          component)


def sample(m, r, dim, component, sampled):
    r.put(m.value("OpImageSampleExplicitLod", m.vector(m.scalar(component), 4), sampled,
                  coordinate(m, "float", DIMS[dim][3]), "Lod", m.f(0)), component)
    if dim in ("2D", "Cube", "2DArray", "CubeArray"):
        r.put(m.value("OpImageGather", m.vector(m.scalar(component), 4), sampled, coordinate(m, "float", DIMS[dim][3]),
                      m.i(1)),
              component)


class Texture(Kind):
    """Fetched, queried, and sampled with a sampler whose handle is uniform."""

    def __init__(self, dim, component):
        Kind.__init__(self, "texture%s.%s" % (dim, component))
        self.dim, self.component = dim, component

    def type(self, m):
        return image_type(m, self.component, self.dim, 1)

    def use(self, x, v):
        m, r, d = x.m, x.results, DIMS[self.dim]
        if d[4]:
            fetch(m, r, self.dim, self.component, v)
        query_size(m, r, self.dim, v, not d[2])
        if not d[3]:
            return
        combined = m.type("OpTypeSampledImage " + self.type(m))
        smp = x.plain_dereference(m.type("OpTypeSampler"))
        sample(m, r, self.dim, self.component, m.value("OpSampledImage", combined, v, smp))


class TexelBuffer(Kind):
    def __init__(self, component):
        Kind.__init__(self, "textureBuffer." + component)
        self.component = component

    def type(self, m):
        return image_type(m, self.component, "Buffer", 1)

    def use(self, x, v):
        fetch(x.m, x.results, "Buffer", self.component, v)
        query_size(x.m, x.results, "Buffer", v, False)


class Sampler(Kind):
    """With a texture whose handle is uniform."""

    def heaps(self, need, dialect, nature, chooses):
        return {"sampler": need}

    def __init__(self, dim, component):
        Kind.__init__(self, "sampler.%s.%s" % (dim, component))
        self.dim, self.component = dim, component

    def type(self, m):
        return m.type("OpTypeSampler")

    def use(self, x, v):
        m = x.m
        image = image_type(m, self.component, self.dim, 1)
        texture = x.plain_dereference(image)
        si = m.value("OpSampledImage", m.type("OpTypeSampledImage " + image), texture, v)
        sample(m, x.results, self.dim, self.component, si)


def split_heaps(kind, need, dialect, nature, chooses):
    """A 32-bit handle has no second index: the sampler is always the first. Decorations of it, by the author or because
    the path differs, are unnecessary, but harmless."""
    out = dict.fromkeys(["texture", "combined", "utexbuf"], need)
    if kind.flags == "s":
        out["sampler"] = need if dialect != "nv32" else None if nature == "M" or chooses else False
    return out


class Combined(Kind):
    def __init__(self, dim, component, split=False):
        Kind.__init__(self, "%s%s.%s" % ("split" if split else "sampler", dim, component))
        self.dim, self.component = dim, component
        self.flags = "s" if split else ""
        if dim == "Buffer":
            self.most = 5
            self.bound = False

    def heaps(self, *what):
        return split_heaps(self, *what)

    def image(self, m):
        return image_type(m, self.component, self.dim, 1)

    def type(self, m):
        return m.type("OpTypeSampledImage " + self.image(m))

    def use(self, x, v):
        m, r, d = x.m, x.results, DIMS[self.dim]
        if d[3]:
            sample(m, r, self.dim, self.component, v)
        if d[4]:
            fetch(m, r, self.dim, self.component, m.value("OpImage", self.image(m), v))
        query_size(m, r, self.dim, m.value("OpImage", self.image(m), v), not d[2] and self.dim != "Buffer")


class Shadow(Kind):
    def __init__(self, dim, split=False):
        Kind.__init__(self, "%s%sShadow" % ("split" if split else "sampler", dim))
        self.dim, self.flags = dim, "s" if split else ""

    def heaps(self, *what):
        return split_heaps(self, *what)

    def type(self, m):
        return m.type("OpTypeSampledImage " + image_type(m, "float", self.dim, 1, depth=1))

    def use(self, x, v):
        m, where = x.m, coordinate(x.m, "float", DIMS[self.dim][3])
        x.results.put(m.value("OpImageSampleDrefExplicitLod", m.float, v, where, m.f(0.5), "Lod", m.f(0)), "float",
                      False)
        if "1D" not in self.dim:
            x.results.put(m.value("OpImageDrefGather", m.vector(m.float, 4), v, where, m.f(0.5)), "float")


def image_where(m, dim):
    n = 3 if "Cube" in dim else DIMS[dim][4]
    return coordinate(m, "int", n), ("Sample", m.i(0)) if DIMS[dim][2] else ()


class Image(Kind):
    def __init__(self, dim, component, format):
        Kind.__init__(self, "image%s.%s.%s" % (dim, component, format))
        self.dim, self.component, self.format = dim, component, format

    def type(self, m):
        return image_type(m, self.component, self.dim, 2, format=self.format)

    def use(self, x, v):
        m, r = x.m, x.results
        if self.format == "Unknown":
            m.capability("StorageImageReadWithoutFormat", "StorageImageWriteWithoutFormat")
        where, more = image_where(m, self.dim)
        texel = m.value("OpImageRead", m.vector(m.scalar(self.component), 4), v, where, *more)
        r.put(texel, self.component)
        m.op(" ".join(("OpImageWrite", v, where, texel) + more))
        query_size(m, r, self.dim, v, False)


class Atomic(Kind):
    """The texel pointer is taken directly from the dereferenced value, as in glslang's output."""
    number = 1

    def __init__(self, dim, component, number=1):
        Kind.__init__(self, "atomic%s.%s.%d" % (dim, component, number))
        self.dim, self.component, self.number = dim, component, number
        if number != 1:
            self.dialects = ("ext",)

    def type(self, m):
        return image_type(m, self.component, self.dim, 2, format="R32i" if self.component == "int" else "R32ui")

    def use(self, x, v, mark=False):
        m, scalar = x.m, x.m.scalar(self.component)
        where, more = image_where(m, self.dim)
        one = m.i(1) if self.component == "int" else m.u(1)
        for op in ("OpAtomicIAdd", "OpAtomicExchange"):
            p = m.value("OpImageTexelPointer", m.pointer("Image", scalar), v, where, m.i(0) if more else m.u(0))
            if mark:
                m.mark(p)
            x.results.put(m.value(op, scalar, p, m.u(1), m.u(0), one), self.component, False)

    def use_pointer(self, x, p):
        self.use(x, p, x.marks_last())



class AccelerationStructure(Kind):
    dialects = ("ext", "import")

    def __init__(self, address=False):
        Kind.__init__(self, "accelerationStructure" + (".address" if address else ""))
        self.flags = "a" if address else ""

    def type(self, m):
        m.capability("RayQueryKHR")
        m.extension('"SPV_KHR_ray_query"')
        return m.type("OpTypeAccelerationStructureKHR")

    def use(self, x, v):
        m = x.m
        query = m.local(m.type("OpTypeRayQueryKHR"))
        zero = m.many(m.float, [m.f(0)] * 3)
        m.op("OpRayQueryInitializeKHR %s %s %s %s %s %s %s %s" % (query, v, m.u(0), m.u(255), zero, m.f(0), zero,
                                                                  m.f(1)))


class Buffer(Kind):
    """A block by buffer reference: loads, stores, atomics, the length of its array, chains of chains, a struct as a
    whole."""
    bound, pointer = False, True

    def __init__(self, number, reference=False):
        Kind.__init__(self, ("uniformBuffer" if number == 3 else "buffer") + (".reference" if reference else ""))
        self.number, self.writes = number, number == 2
        self.dialects = ("reference",) if reference else ("ext", "import")
        self.flags = "b" if reference else ""

    def type(self, m):
        m.capability("PhysicalStorageBufferAddresses")
        m.model = "PhysicalStorageBuffer64 GLSL450"
        if m.version < 5:
            m.extension('"SPV_KHR_physical_storage_buffer"')
        inner = m.type("OpTypeStruct %s %s" % (m.uint, self.pair(m)), "Inner")
        parts = [m.uint, m.vector(m.uint, 4), inner] + ([m.word_array] if self.writes else [])
        block = m.type("OpTypeStruct " + " ".join(parts), "Block")
        m.note("OpMemberDecorate %Inner 0 Offset 0",
               "OpMemberDecorate %%Inner 1 Offset %d" % (4 if self.writes else 16), 'OpName %Block "Block"',
               "OpDecorate %Block Block", "OpMemberDecorate %Block 0 Offset 0", "OpMemberDecorate %Block 1 Offset 16",
               "OpMemberDecorate %Block 2 Offset 32")
        if self.writes:
            m.note("OpMemberDecorate %Block 3 Offset 44")
        else:
            m.note("OpMemberDecorate %Block 0 NonWritable", "OpMemberDecorate %Block 1 NonWritable",
                   "OpMemberDecorate %Block 2 NonWritable")
        return m.pointer("PhysicalStorageBuffer", block)

    def pair(self, m):
        t = m.type("OpTypeArray %s %s" % (m.uint, m.u(2)), "pair")
        m.note("OpDecorate %%pair ArrayStride %d" % (4 if self.writes else 16))
        return t

    def read(self, x, p):
        x.results.put(x.m.value("OpLoad", x.m.uint, p, "Aligned 4"), "uint", False)

    def use(self, x, v):
        m, s = x.m, "PhysicalStorageBuffer"
        self.read(x, m.chain(s, m.uint, v, m.u(0)))
        self.read(x, m.chain(s, m.uint, v, m.u(1), m.u(2)))
        inner = m.chain(s, "%Inner", v, m.u(2))
        self.read(x, m.chain(s, m.uint, inner, m.u(1), m.u(1)))
        whole = m.value("OpLoad", "%Inner", inner, "Aligned 16")
        x.results.put(m.value("OpCompositeExtract", m.uint, whole, "1", "0"), "uint", False)
        if not self.writes:
            return
        self.read(x, m.chain(s, m.uint, v, m.u(3), m.u(2)))
        m.op("OpStore %s %s Aligned 4" % (m.chain(s, m.uint, v, m.u(3), m.u(1)), m.u(7)))
        m.op("OpStore %s %s Aligned 16" % (inner, whole))
        p = m.chain(s, m.uint, v, m.u(0))
        x.results.put(m.value("OpAtomicIAdd", m.uint, p, m.u(1), m.u(0), m.u(5)), "uint", False)
        x.results.put(m.value("OpArrayLength", m.uint, v, "3"), "uint", False)


def classes():
    """name -> variants"""
    plain = [d for d in DIMS if d != "Buffer"]
    return {
        "texture": [Texture(d, c) for d in plain for c in COMPONENTS],
        "textureBuffer": [TexelBuffer(c) for c in COMPONENTS],
        "sampler": [Sampler(d, c) for d in plain if DIMS[d][3] for c in COMPONENTS],
        "combined": [Combined(d, c) for d in plain for c in COMPONENTS],
        "split": [Combined(d, c, True) for d in plain for c in COMPONENTS],
        "samplerBuffer": [Combined("Buffer", c) for c in COMPONENTS],
        "shadow": [Shadow(d, s) for d in SHADOW for s in (False, True)],
        "image": [Image(d, c, "Unknown") for d in plain for c in COMPONENTS] +
                 [Image(d, c, FORMATS[c][i % len(FORMATS[c])]) for i, d in enumerate(plain) for c in COMPONENTS],
        "imageBuffer": [Image("Buffer", c, f) for c in COMPONENTS for f in ("Unknown", FORMATS[c][0])],
        "atomic": [Atomic(d, c) for d in DIMS for c in ("int", "uint")],
        "atomic4": [Atomic(d, c, 4) for d in DIMS for c in ("int", "uint")],
        "accelerationStructure": [AccelerationStructure()],
        "address": [AccelerationStructure(True)],
        "buffer": [Buffer(2)],
        "uniformBuffer": [Buffer(3)],
        "bufferReference": [Buffer(2, True)],
    }
