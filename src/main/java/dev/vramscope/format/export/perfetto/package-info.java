/**
 * Writes traces in Perfetto's format, for ui.perfetto.dev: a sequence of TracePacket messages of
 * Protocol Buffers, each with a track event or the description of a track.
 *
 * <pre>
 *   Device 0                       what is in the trace and what is left out, as an instant
 *   ├─ Active (requested)          counter, bytes
 *   ├─ Reserved                    counter, bytes
 *   ├─ Failed requests             instants
 *   ├─ Segments                    instants
 *   ├─ Marks                       instants: snapshots and others
 *   ├─ Annotations                 slices of the program: name, start, end
 *   └─ Largest allocations         slices
 * </pre>
 *
 * <p>A track has one stack of slices. Slices that overlap without one containing the other are on
 * tracks of the same name and parent, which Perfetto shows as one.
 */
@NullMarked
package dev.vramscope.format.export.perfetto;

import org.jspecify.annotations.NullMarked;
