/**
 * Reads pickles as data: protocols 2 to 5, without the opcodes that import, call or build objects.
 *
 * <ul>
 *   <li>A <em>cell</em> is one value packed into a long: {@link dev.vramscope.format.pickle.Cell}.
 *   <li>{@link dev.vramscope.format.pickle.PickleValues} stores what does not fit into a cell:
 *       interned {@linkplain dev.vramscope.format.pickle.PickleTexts strings} and wide numbers.
 *   <li>{@link dev.vramscope.format.pickle.PickleMachine} executes the opcodes. It builds no
 *       objects: {@link dev.vramscope.format.pickle.Containers} is notified when a list or dict
 *       opens, and receives its contents in batches.
 * </ul>
 */
@NullMarked
package dev.vramscope.format.pickle;

import org.jspecify.annotations.NullMarked;
