/**
 * Persistent storage of snapshots: rows for the searchable data, compressed column blobs for the
 * model, and the original file.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.store.DataFolder} is used by one process at a time. It contains the
 *       database file and the {@link dev.vramscope.store.Spool}, whose files are deleted at the
 *       next start.
 *   <li>A snapshot becomes visible only when it is completely stored: its rows, columns and
 *       original file are written in one transaction. {@link
 *       dev.vramscope.store.SnapshotStore#save} returns after the database file was forced to disk,
 *       so an acknowledged snapshot survives a killed process and a power failure.
 *   <li>The same file is stored once: its SHA-256 is unique, and its id is a prefix of that hash.
 *   <li>The columns contain the model and no derived data; lifetimes and timelines are computed
 *       when a snapshot is opened. Every blob has a format version and a checksum.
 *   <li>The rows of devices, OOMs and findings repeat data of the columns, for searching.
 *   <li>A store that fails throws {@link dev.vramscope.store.StoreUnavailableException} and works
 *       again once the cause is removed.
 * </ul>
 */
@NullMarked
package dev.vramscope.store;

import org.jspecify.annotations.NullMarked;
