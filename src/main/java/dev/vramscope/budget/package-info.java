/**
 * What the memory of a device is used for: the ledger with its live row divided by use.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>The parts of a {@link dev.vramscope.budget.Budget} add up to the live rows of its ledger,
 *       so that the whole adds up to the device as the ledger does.
 *   <li>A <em>model</em> is a set of parameters that were made one after another; several may be
 *       live, and copies and checkpoints are no models that are trained.
 * </ul>
 */
@NullMarked
package dev.vramscope.budget;

import org.jspecify.annotations.NullMarked;
