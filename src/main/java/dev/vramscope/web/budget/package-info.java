/**
 * The budget of a snapshot: live memory by what the program uses it for, beside what is expected.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.budget.BudgetApi} has the same as JSON.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.budget;

import org.jspecify.annotations.NullMarked;
