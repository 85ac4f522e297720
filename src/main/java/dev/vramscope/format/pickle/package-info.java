/**
 * Pickles as data: protocols 2 to 5, without the opcodes that import, call or build.
 *
 * <ul>
 *   <li>A <em>cell</em> is one value packed into a long: {@link dev.vramscope.format.pickle.Cell}.
 *   <li>{@link dev.vramscope.format.pickle.Values} holds what does not fit into a cell: interned
 *       {@linkplain dev.vramscope.format.pickle.TextTable texts} and wide numbers.
 *   <li>The <em>machine</em> runs the opcodes. It builds no objects: lists and dicts belong to
 *       {@link dev.vramscope.format.pickle.Containers}, which is told what they are part of when
 *       they open, and is given their contents as they close.
 * </ul>
 */
@NullMarked
package dev.vramscope.format.pickle;

import org.jspecify.annotations.NullMarked;
