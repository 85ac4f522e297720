/**
 * The overview of a snapshot, its summary and its exports.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.overview.SummaryApi} has the summary as JSON and as text.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.overview;

import org.jspecify.annotations.NullMarked;
