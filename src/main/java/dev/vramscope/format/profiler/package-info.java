/** Traces of PyTorch's profiler: of their events, those of memory. */
@NullMarked
package dev.vramscope.format.profiler;

import org.jspecify.annotations.NullMarked;
