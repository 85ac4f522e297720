/**
 * XLA's BFC allocator (best fit with coalescing).
 *
 * <h2>Terms</h2>
 *
 * <ul>
 *   <li>A <b>region</b> is contiguous memory acquired from the device ({@code Regions}). All
 *       regions together are the <b>pool</b>; an <b>extension</b> ({@code Extension}) adds one.
 *       Other packages call a region a segment.
 *   <li>A <b>chunk</b> is a piece of a region ({@code ChunkTable}, packed records named by
 *       <b>slot</b> numbers). It is allocated or free. Other packages call it a block.
 *   <li>A <b>bin</b> holds free chunks of one size class, by size, then address ({@code Bins}).
 *       There are 21, from 256 bytes to 256 MiB and more.
 *   <li>A <b>tag</b> is the end of the region that a chunk was split from. Without partitioning all
 *       are <i>lower</i>. With it, a region is <i>lower</i> chunks, then at most one free
 *       <b>central gap</b>, then <i>upper</i> chunks.
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The chunks of a region tile it; neighbours link to each other.
 *   <li>An allocated chunk is never in a bin. A free chunk is in the bin of its size, unless it is
 *       a central gap.
 *   <li>Two neighbours are never both free, unless one was freed under a timing counter and its
 *       count is not yet safe.
 *   <li>A chunk leaves its bin before its size or tag changes.
 *   <li>In a merge the left chunk's slot survives. A dead slot keeps the requested size of its last
 *       allocation, as in XLA, where it appears in logs.
 *   <li>Bytes in use are the sizes of the allocated chunks; pool bytes those of the regions.
 * </ol>
 *
 * <h2>Entry points</h2>
 *
 * {@link dev.vramscope.allocator.bfc.BfcAllocator} holds the lock, connects the components and is
 * the public API; the other classes are single-threaded, except for waiting in {@code
 * MemoryFreedCondition}. {@code AllocateSteps} allocates and frees.
 *
 * <p>Two defects of XLA are fixed: the size of the next region does not overflow, and partitioned
 * mode allows a second region.
 */
@NullMarked
package dev.vramscope.allocator.bfc;

import org.jspecify.annotations.NullMarked;
