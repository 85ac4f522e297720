/**
 * The overview of a snapshot with its summary, budget and exports, and the pages of one allocation
 * and one stack.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.overview.SummaryApi}, {@link dev.vramscope.web.overview.BudgetApi}
 *       and {@link dev.vramscope.web.overview.AllocationApi} have the same as JSON.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.overview;

import org.jspecify.annotations.NullMarked;
