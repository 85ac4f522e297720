/**
 * vramscope: where every byte of GPU memory went, and why a request failed.
 *
 * <p>Two streets lead into the house, an uploaded snapshot and an allocator running in this
 * process; both end in one {@code model}, one set of analyses and the same pages. Which room may
 * know which is the table in {@code ArchitectureTest}.
 */
@NullMarked
package dev.vramscope;

import org.jspecify.annotations.NullMarked;
