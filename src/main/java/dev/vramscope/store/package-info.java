/**
 * Where snapshots stay: rows for what is searched, compressed column blobs for what is read whole,
 * and the original file.
 *
 * <p>The nouns and their laws:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.store.DataFolder} belongs to one process at a time. It holds the
 *       database file and the {@link dev.vramscope.store.Spool}, whose files are nobody's after a
 *       restart and are swept.
 *   <li>A snapshot is visible only when it is wholly stored: its rows, columns and original are one
 *       transaction. {@link dev.vramscope.store.SnapshotStore#save} returns after the file was
 *       forced to disk, so what was acknowledged survives a kill and a power cut.
 *   <li>The same file is stored once: its SHA-256 is unique, and its id is the beginning of that.
 *   <li>The columns hold the model's facts and nothing derived; lifetimes and timelines are
 *       computed when a snapshot is opened. Every blob carries its format version and a checksum.
 *   <li>The rows of devices, OOMs and findings repeat, for searching, what the columns hold.
 *   <li>A store that cannot work says so with a {@link
 *       dev.vramscope.store.StoreUnavailableException} and works again once the cause is gone.
 * </ul>
 */
@NullMarked
package dev.vramscope.store;

import org.jspecify.annotations.NullMarked;
