/**
 * Other pools of a BFC allocator: the trials of one failed request on the chunks of a dump, and the
 * pools that a recording with requests and frees is replayed with.
 */
@NullMarked
package dev.vramscope.whatif.pool;

import org.jspecify.annotations.NullMarked;
