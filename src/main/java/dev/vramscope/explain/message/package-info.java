/**
 * What was read: messages, with their fields and numbers as written.
 *
 * <ul>
 *   <li>A number is read with its unit or not at all.
 * </ul>
 */
@NullMarked
package dev.vramscope.explain.message;

import org.jspecify.annotations.NullMarked;
