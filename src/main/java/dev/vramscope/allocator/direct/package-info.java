/**
 * An allocator without a cache: every request and every free is a driver call. PyTorch does the
 * same with {@code PYTORCH_NO_CUDA_MEMORY_CACHING=1} and JAX with its platform allocator; it is the
 * baseline for caching allocators.
 *
 * <p>Each block is a segment of its own. The driver waits for running work when memory is freed, so
 * there are no pending frees.
 */
@NullMarked
package dev.vramscope.allocator.direct;

import org.jspecify.annotations.NullMarked;
