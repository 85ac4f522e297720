/**
 * Charts over the events of a run: active memory, segments over time, marked ranges; and the
 * segment map.
 *
 * <ul>
 *   <li>Charts receive {@link dev.vramscope.web.display.Columns}; the browser draws them.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.timeline;

import org.jspecify.annotations.NullMarked;
