/**
 * The order in which requests are served.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.order.RequestOrder} lets requests that compute for long take
 *       turns, and limits quick ones by client.
 *   <li>{@link dev.vramscope.web.order.RequestCosts} knows which is which.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.order;

import org.jspecify.annotations.NullMarked;
