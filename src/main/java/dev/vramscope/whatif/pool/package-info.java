/** The settings of a BFC allocator's pool: those of a recording, and others to replay it under. */
@NullMarked
package dev.vramscope.whatif.pool;

import org.jspecify.annotations.NullMarked;
