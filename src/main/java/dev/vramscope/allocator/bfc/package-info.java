/**
 * XLA's BFC allocator (best fit with coalescing), as it behaves.
 *
 * <h2>Nouns</h2>
 *
 * <ul>
 *   <li>A <b>region</b> is contiguous memory held from the device ({@code Regions}). All regions
 *       together are the <b>pool</b>; it grows by an <b>extension</b> ({@code Extension}). Others
 *       know a region as a segment.
 *   <li>A <b>chunk</b> is a piece of a region ({@code ChunkTable}, packed records named by
 *       <b>slot</b> numbers). It is allocated or free. Others know it as a block.
 *   <li>A <b>bin</b> holds free chunks of one size class, by size, then address ({@code Bins}).
 *       There are 21, from 256 bytes to 256 MiB and more.
 *   <li>A <b>tag</b> says which end of a region a chunk was carved from. Without partitioning all
 *       are <i>lower</i>. With it, a region is <i>lower</i> chunks, then at most one free
 *       <b>central gap</b>, then <i>upper</i> chunks.
 *   <li>A <b>hole</b> is a free chunk with chunks of its own tag on its way to the gap.
 * </ul>
 *
 * <h2>Laws</h2>
 *
 * <ol>
 *   <li>The chunks of a region tile it; neighbours name each other.
 *   <li>An allocated chunk is never in a bin. A free chunk is in the bin of its size, unless it is
 *       a central gap.
 *   <li>Two neighbours are never both free, except one that was freed under a timing counter and
 *       whose time has not come.
 *   <li>A chunk leaves its bin before its size or tag changes.
 *   <li>In a merge the left chunk's slot survives. A dead slot keeps what the last request asked
 *       for, as the original's does: it shows in logs.
 *   <li>Bytes in use are the sizes of the allocated chunks; pool bytes those of the regions.
 * </ol>
 *
 * <h2>Where to begin</h2>
 *
 * {@link dev.vramscope.allocator.bfc.BfcAllocator} is the lock, the wiring and the public face;
 * nothing else here knows about threads. {@code AllocateSteps} is the story of a request and of a free.
 *
 * <p>What the original does wrong is right here: the size of the next region does not overflow, and
 * partitioned mode allows a second region.
 */
@NullMarked
package dev.vramscope.allocator.bfc;

import org.jspecify.annotations.NullMarked;
