// Common declarations, in a file that shaders include.
const uint scale = 2u;
