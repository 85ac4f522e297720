/**
 * What memory calls cost on a card: the reason why caching allocators exist, measured.
 *
 * <ul>
 *   <li>An <b>operation</b> is one call of the driver, or of an allocator that finds what it needs
 *       in its cache. Each is timed by itself, thousands of times, into a histogram.
 *   <li>Freeing and unmapping wait for running work, so they are measured with idle streams and,
 *       for freeing, with a busy one too.
 *   <li>The times of a simulated card mean nothing, and the report says so.
 * </ul>
 */
@NullMarked
package dev.vramscope.live.cost;

import org.jspecify.annotations.NullMarked;
