/**
 * Tests of the CUDA device with the emulated driver. A process has only one driver, so the tests
 * share it: each starts with {@link dev.vramscope.device.cuda.CudaEmulator#ofBytes}, which resets
 * it.
 */
@NullMarked
package dev.vramscope.device.cuda;

import org.jspecify.annotations.NullMarked;
