/**
 * The events of a caching allocator, as PyTorch's {@code record_memory_history} keeps them: a
 * bounded ring buffer of packed records, with user metadata and compile contexts.
 */
@NullMarked
package dev.vramscope.allocator.caching.history;

import org.jspecify.annotations.NullMarked;
