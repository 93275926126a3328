// A library with the name of an OpenCL loader, but without its functions.
extern "C" int nothing() { return 0; }
