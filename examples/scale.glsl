// What shaders have in common, in a file that they include.
const uint scale = 2u;
