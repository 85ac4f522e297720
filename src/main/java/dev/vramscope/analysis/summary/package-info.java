/** The counters of {@code torch.cuda.memory_stats()}, as far as a recording has them. */
@NullMarked
package dev.vramscope.analysis.summary;

import org.jspecify.annotations.NullMarked;
