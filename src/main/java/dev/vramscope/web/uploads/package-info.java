/**
 * Uploads, the list of stored snapshots, and their names and tags.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.uploads.UploadApi} receives files; what is in them is for {@code
 *       intake}.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.uploads;

import org.jspecify.annotations.NullMarked;
