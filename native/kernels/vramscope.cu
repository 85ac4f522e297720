// The device code of a real card; its names and parameters are in include/vramscope.h, and the emulated
// driver does the same on the CPU (emulator/work.c). script/device-code builds PTX from it.
#include "pattern.cuh"
#include "spin.cuh"
