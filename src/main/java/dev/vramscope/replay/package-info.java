/**
 * Replays allocator traces on a simulated device and compares the results with those of the
 * original allocators.
 *
 * <p>A golden <b>case</b> is a folder with {@code trace.txt} (one operation per line), {@code
 * config.txt} (one {@code KEY=VALUE} per line) and {@code expected.jsonl}; each may be compressed,
 * with {@code .gz} or {@code .zst} appended to its name. A <b>record</b> is a line of output, a
 * JSON object. A {@link dev.vramscope.replay.TraceReplay} turns operations into records.
 */
@NullMarked
package dev.vramscope.replay;

import org.jspecify.annotations.NullMarked;
