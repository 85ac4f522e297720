/**
 * PyTorch's native CUDA caching allocator, release 2.14, as it behaves.
 *
 * <h2>Nouns</h2>
 *
 * <ul>
 *   <li>A <b>segment</b> is contiguous addresses held from the device ({@code Segments}): one piece
 *       of memory ({@code PlainSegments}) or a reservation into which pages are mapped ({@code
 *       ExpandableSegments}).
 *   <li>A <b>block</b> is a piece of a segment ({@code Blocks}, a table of packed records). It is
 *       <b>split</b> and <b>joined</b> by {@code SegmentLayout} only.
 *   <li>A <b>pool</b> holds inactive blocks of one kind: <b>small</b> serves blocks up to 1 MiB,
 *       <b>large</b> the others ({@code Pool}). A <b>private pool</b> is such a pair that serves
 *       only the requests inside its <b>scopes</b> ({@code PrivatePool}, {@code Pools}).
 *   <li>A <b>free list</b> is the inactive mapped blocks of a pool for one stream: the newest, and
 *       the others by size ({@code FreeList}, {@code SortedBlocks}).
 *   <li>A <b>pending free</b> is a freed block that another stream may still use ({@code
 *       PendingFrees}); during a graph <b>capture</b> it is put off ({@code Captures}).
 *   <li>An <b>oversize</b> block is at least {@code max_split_size}: it is never split.
 * </ul>
 *
 * <h2>Laws</h2>
 *
 * <ol>
 *   <li>The blocks of a segment tile it; all have its stream.
 *   <li>Neighbours that are both inactive differ in being mapped, else they would be one.
 *   <li>A block is in a free list exactly if it is inactive and mapped.
 *   <li>A block is taken out of its list before its size, address or state changes.
 *   <li>A block moves between streams or pools never; it goes back to the device first.
 * </ol>
 *
 * <h2>Where to begin</h2>
 *
 * {@code AllocateSteps} is the story of a request, {@code FreeSteps} that of a free. {@link
 * dev.vramscope.allocator.caching.CachingAllocator} is the lock, the wiring and the public face;
 * nothing else here knows about threads.
 *
 * <p>{@code SharedSettingsReader} and {@code DeviceSettingsReader} read {@code
 * PYTORCH_CUDA_ALLOC_CONF}.
 */
@NullMarked
package dev.vramscope.allocator.caching;

import org.jspecify.annotations.NullMarked;
