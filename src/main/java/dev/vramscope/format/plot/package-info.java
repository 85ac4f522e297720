/**
 * Pages that {@code torch.cuda._memory_viz} wrote from late 2022 to mid 2023. They have no
 * snapshot, but the data of a drawing, as JSON in a script:
 *
 * <pre>
 *   let alloc_data = …   trace_plot, profile_plot    allocations, and the order of their ends
 *   let trace_data = …   segment_plot                events, segments and live blocks
 * </pre>
 *
 * Both have their texts in {@code string_table}, and stacks as lists that share their outer parts:
 * a row of {@code suffix_table} is a text and the row of the rest.
 */
@NullMarked
package dev.vramscope.format.plot;

import org.jspecify.annotations.NullMarked;
