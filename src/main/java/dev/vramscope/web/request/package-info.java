/**
 * Parts of requests and responses that many controllers have in common.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.request.Heavy}, {@link dev.vramscope.web.request.Immediate} and
 *       {@link dev.vramscope.web.request.Unchanging} say what a handler costs and whether its
 *       answer can change.
 *   <li>A {@link dev.vramscope.web.request.Slice} is the part of a list that one response has.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.request;

import org.jspecify.annotations.NullMarked;
