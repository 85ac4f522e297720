/**
 * No cache: every request goes to the device, every free too. It is what PyTorch does with {@code
 * PYTORCH_NO_CUDA_MEMORY_CACHING=1} and JAX with its platform allocator, and what a caching
 * allocator is measured against.
 *
 * <p>Each block is a segment of its own. A driver waits for running work when memory is freed, so
 * there are no pending frees.
 */
@NullMarked
package dev.vramscope.allocator.direct;

import org.jspecify.annotations.NullMarked;
