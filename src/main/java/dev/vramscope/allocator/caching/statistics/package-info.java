/**
 * The counters of a caching allocator: {@code Statistics} counts, {@code StatisticsView} is their
 * state at one moment, and {@code MemoryStats} gives it PyTorch's {@code memory_stats()} keys.
 */
@NullMarked
package dev.vramscope.allocator.caching.statistics;

import org.jspecify.annotations.NullMarked;
