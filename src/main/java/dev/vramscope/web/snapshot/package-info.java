/**
 * What all pages of one snapshot have in common.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.snapshot.SnapshotCache} keeps inspections of snapshots, as many as
 *       fit into a share of the heap.
 *   <li>{@link dev.vramscope.web.snapshot.SnapshotFrame} is the frame of a page: name, tabs,
 *       devices, missing data. {@link dev.vramscope.web.snapshot.SnapshotLinks} has the addresses
 *       of the pages.
 *   <li>{@link dev.vramscope.web.snapshot.ChosenDevice} is the device that a request is about.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.snapshot;

import org.jspecify.annotations.NullMarked;
