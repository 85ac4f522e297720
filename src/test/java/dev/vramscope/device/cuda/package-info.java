/**
 * The CUDA device over the emulated driver. There is one driver in a process, so these tests share
 * it: each begins with {@link dev.vramscope.device.cuda.CudaEmulator#card}, which takes everything
 * back.
 */
@NullMarked
package dev.vramscope.device.cuda;

import org.jspecify.annotations.NullMarked;
