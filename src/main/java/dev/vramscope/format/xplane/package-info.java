/**
 * The profiles of XProf ({@code xplane.pb}, written by the profilers of JAX and TensorFlow), as a
 * trace of the allocator's events.
 *
 * <p>A profile is a <em>space</em> of <em>planes</em> (a host, a device), which have <em>lines</em>
 * (threads) with <em>events</em>. An event has the number of its name, its time relative to that of
 * its line, and <em>stats</em>: numbers or texts, whose names have numbers, too. The tables of
 * names come after the events.
 */
@NullMarked
package dev.vramscope.format.xplane;

import org.jspecify.annotations.NullMarked;
