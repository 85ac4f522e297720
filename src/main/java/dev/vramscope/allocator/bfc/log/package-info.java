/** The lines that the BFC allocator writes when a request fails. */
@NullMarked
package dev.vramscope.allocator.bfc.log;

import org.jspecify.annotations.NullMarked;
