/**
 * Writes the model in the formats of other programs.
 *
 * <ul>
 *   <li>{@link dev.vramscope.format.export.TorchPickleWriter}: the format of {@code
 *       torch.cuda.memory._dump_snapshot()}, for PyTorch's viewers.
 *   <li>{@link dev.vramscope.format.export.JsonLinesWriter}, {@link
 *       dev.vramscope.format.export.CsvWriter}, {@link dev.vramscope.format.export.ParquetWriter}:
 *       tables of the events, with the same columns.
 *   <li>{@link dev.vramscope.format.export.perfetto.PerfettoWriter}: a trace for ui.perfetto.dev.
 *   <li>{@link dev.vramscope.format.export.FoldedWriter}, {@link
 *       dev.vramscope.format.export.SpeedscopeWriter}, {@link
 *       dev.vramscope.format.export.PprofWriter}: memory by call stack, for flame graphs.
 * </ul>
 *
 * <p>Writers stream: they never hold the whole file, only the memo numbers of the objects that may
 * be referenced again (stacks, frames, strings). Values that the model does not have are omitted,
 * except where the reading program fails without them; this is documented at the writer.
 */
@NullMarked
package dev.vramscope.format.export;

import org.jspecify.annotations.NullMarked;
