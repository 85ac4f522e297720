/**
 * PyTorch's memory snapshots, in the three wrappings in which they are met: pickle, JSON, and HTML
 * pages with pickles inside.
 *
 * <ul>
 *   <li>A <em>role</em> is what a list or dict of the file is to a snapshot: a segment, a trace, a
 *       stack of frames. It follows from the parent's role and the key under which it stands
 *       ({@link dev.vramscope.format.torch.Role}); what has no role is skipped and counted.
 *   <li>The <em>assembler</em> gives each opened container its role and takes its contents as it
 *       closes. Pickle and JSON drive the same assembler, so they cannot come to differ.
 *   <li>Of each kind only the newest row is open (an event, a block, a frame); it is finished when
 *       the next one opens or when it is put into its list. A finished row is never changed.
 *   <li>Stacks, frames, strings and tuples may be shared by any number of rows and cost nothing
 *       then; rows may not.
 * </ul>
 */
@NullMarked
package dev.vramscope.format.torch;

import org.jspecify.annotations.NullMarked;
