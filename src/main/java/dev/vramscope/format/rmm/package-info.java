/** The event logs of RAPIDS' memory manager (RMM), as a trace without segments. */
@NullMarked
package dev.vramscope.format.rmm;

import org.jspecify.annotations.NullMarked;
