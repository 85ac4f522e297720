/**
 * Replays allocator traces on a simulated device and compares what happens with what the originals
 * did.
 *
 * <p>A <b>case</b> is a folder with {@code trace.txt} (one operation a line), {@code config.txt}
 * (one {@code KEY=VALUE} a line) and {@code expected.jsonl}, or the same with {@code .gz}. A
 * <b>record</b> is a line of output, a JSON object. A {@link dev.vramscope.replay.TraceReplay}
 * turns operations into records.
 */
@NullMarked
package dev.vramscope.replay;

import org.jspecify.annotations.NullMarked;
