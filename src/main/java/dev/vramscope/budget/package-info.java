/**
 * What the memory of a device is used for: the ledger with its live row divided by use.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A <em>use</em> is what an allocation is for, such as parameters or activations. Files do
 *       not contain it: it is estimated from the frames of the stack, from the lifetime and, for
 *       gradients, from the size; unless the program has declared it in the metadata of the event.
 *   <li>The parts of a {@link dev.vramscope.budget.Budget} add up to the live rows of its ledger,
 *       so that the whole adds up to the device as the ledger does.
 *   <li>What nothing identifies stays in {@link dev.vramscope.budget.Use#OTHER} or {@link
 *       dev.vramscope.budget.Use#NO_STACK}.
 * </ul>
 */
@NullMarked
package dev.vramscope.budget;

import org.jspecify.annotations.NullMarked;
