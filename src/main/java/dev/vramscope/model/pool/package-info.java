/** The pool of a BFC allocator: its chunks, as they follow from its events and its rules. */
@NullMarked
package dev.vramscope.model.pool;

import org.jspecify.annotations.NullMarked;
