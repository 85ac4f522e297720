/**
 * What is known of stored snapshots without decoding them: names, tags, totals, attached texts, and
 * how they are listed.
 */
@NullMarked
package dev.vramscope.store.listing;

import org.jspecify.annotations.NullMarked;
