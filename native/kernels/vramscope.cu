// The kernels for real GPUs. Their names and parameters are in include/vramscope.h; the emulated driver
// does the same work on the CPU (emulator/work.c). script/device-code compiles this file to PTX.
#include "pattern.cuh"
#include "spin.cuh"
