/**
 * The list of stored snapshots: filters, groups by job, names and tags, deletion, and what is said
 * of a damaged one.
 *
 * <ul>
 *   <li>{@link dev.vramscope.web.list.SnapshotsApi} has the same as JSON.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.list;

import org.jspecify.annotations.NullMarked;
