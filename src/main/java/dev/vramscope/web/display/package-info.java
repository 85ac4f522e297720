/**
 * How values become text, and how responses are written.
 *
 * <ul>
 *   <li>Numbers of a view become text only in {@link dev.vramscope.web.display.DisplayFormat} and
 *       the templates.
 *   <li>Text of files is limited by a {@link dev.vramscope.web.display.TextBudget} and escaped by
 *       the templates.
 *   <li>Allocator terms are defined in the {@link dev.vramscope.web.display.Glossary} and nowhere
 *       else.
 *   <li>{@link dev.vramscope.web.display.Columns} are the binary form of charts.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.display;

import org.jspecify.annotations.NullMarked;
