/**
 * The post-mortem of failed requests, and the evidence that users attach.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.oom.OomPage} and the REST answer {@link
 *       dev.vramscope.web.oom.OomView} show the same report.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.oom;

import org.jspecify.annotations.NullMarked;
