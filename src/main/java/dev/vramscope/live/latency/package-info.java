/**
 * The measured latency of memory operations on a device, which is the reason for caching
 * allocators.
 *
 * <ul>
 *   <li>An <b>operation</b> is one call of the driver, or of an allocator that hits its cache. Each
 *       is timed thousands of times, into a histogram.
 *   <li>Freeing and unmapping wait for running work, so they are measured with idle streams and,
 *       for freeing, also with a busy one.
 *   <li>The driver times of a simulated device are not representative, and the report contains a
 *       warning.
 * </ul>
 */
@NullMarked
package dev.vramscope.live.latency;

import org.jspecify.annotations.NullMarked;
