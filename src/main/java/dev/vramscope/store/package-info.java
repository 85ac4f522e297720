/**
 * Persistent storage of snapshots: the original files, which are the truth, and a database with
 * rows for the searchable data and compressed column blobs for the model, which can be rebuilt.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.store.files.DataFolder} is used by one process at a time. Its {@link
 *       dev.vramscope.store.files.Spool} is emptied at the next start.
 *   <li>An <em>original</em> is the uploaded file, its <em>sidecar</em> what cannot be computed
 *       from it. {@link dev.vramscope.store.SnapshotStore#save} returns after both were forced to
 *       disk, so an acknowledged snapshot survives a killed process, a power failure and the loss
 *       of the database. A deletion is on the disk when it returns, too.
 *   <li>A snapshot becomes visible only when it is completely stored: its rows and columns are
 *       written in one transaction, whose last step are the files.
 *   <li>Whatever is read is verified: originals, sidecars, rows and blobs have checksums. Damage is
 *       repaired from what is intact, or reported with the snapshot that it belongs to.
 *   <li>The same file is stored once: its SHA-256 is unique, and its id is a prefix of that hash.
 *   <li>The columns contain the model and no derived data; lifetimes and timelines are computed
 *       when a snapshot is opened. Every blob has a format version and a checksum.
 *   <li>The rows of devices, OOMs and findings repeat data of the columns, for searching.
 *   <li>The results of replays belong to a snapshot and to the version of the engine that computed
 *       them. They are lost when its rows are rebuilt, and can be computed again.
 *   <li>A store that fails throws {@link dev.vramscope.store.files.StoreUnavailableException} and
 *       works again once the cause is removed. After the first failed write nothing is written
 *       until there is room; reading and deleting continue.
 * </ul>
 */
@NullMarked
package dev.vramscope.store;

import org.jspecify.annotations.NullMarked;
