/**
 * Reads the messages of a log, whatever writes around them and wraps them.
 *
 * <ul>
 *   <li>A {@link dev.vramscope.explain.reading.MessageForm} is one way in which a program writes a
 *       message. All forms are searched in one pass.
 * </ul>
 */
@NullMarked
package dev.vramscope.explain.reading;

import org.jspecify.annotations.NullMarked;
