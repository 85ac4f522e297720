/**
 * vramscope: where every byte of GPU memory went, and why a request failed.
 *
 * <p>Data comes from two sources: uploaded memory snapshots, and allocators that run in this
 * process. Both are converted to the same {@code model}, so all analyses and pages work on both.
 * The table in {@code Architecture} (in the test sources) lists the packages that each package may
 * depend on.
 */
@NullMarked
package dev.vramscope;

import org.jspecify.annotations.NullMarked;
