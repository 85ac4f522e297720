/**
 * The model written in other programs' formats.
 *
 * <ul>
 *   <li>{@link dev.vramscope.format.export.TorchPickleWriter}: what {@code
 *       torch.cuda.memory._dump_snapshot()} writes, for PyTorch's own viewers.
 * </ul>
 *
 * <p>Writers stream: they never hold the file, only what must be named again in it (a stack, a
 * frame, a text). What the model does not know is left out, except where the reading program fails
 * without it; the writer says so there.
 */
@NullMarked
package dev.vramscope.format.export;

import org.jspecify.annotations.NullMarked;
