/**
 * Reads PyTorch's memory snapshots from pickle, from JSON, and from HTML pages with embedded
 * pickles.
 *
 * <ul>
 *   <li>The <em>role</em> of a list or dict is its meaning in a snapshot: a segment, a trace, a
 *       stack of frames. It is determined by the role of the parent and the key ({@link
 *       dev.vramscope.format.torch.Role}); containers without a role are skipped and counted.
 *   <li>{@link dev.vramscope.format.torch.SnapshotAssembler} assigns a role to each container when
 *       it opens, and passes its contents to the rows of that role. Pickle and JSON use the same
 *       assembler, so both give the same result.
 *   <li>Only the newest row of each kind (event, block, frame) is open. It is finished when the
 *       next row opens or when it is appended to its list. A finished row never changes.
 *   <li>Stacks, frames, strings and tuples may be shared by any number of rows without further
 *       cost; rows may not be shared.
 * </ul>
 */
@NullMarked
package dev.vramscope.format.torch;

import org.jspecify.annotations.NullMarked;
