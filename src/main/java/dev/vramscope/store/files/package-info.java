/**
 * The files of the data folder: the originals with their sidecars, the spool, the space on the
 * disk, and how a failed write is survived.
 *
 * <ul>
 *   <li>A file is written under another name, synced and renamed ({@link
 *       dev.vramscope.store.files.SyncedFiles}).
 *   <li>Every failure of the disk is a {@link dev.vramscope.store.files.StoreUnavailableException}.
 * </ul>
 */
@NullMarked
package dev.vramscope.store.files;

import org.jspecify.annotations.NullMarked;
