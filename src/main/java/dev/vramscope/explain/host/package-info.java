/** Messages about the memory of the host. */
@NullMarked
package dev.vramscope.explain.host;

import org.jspecify.annotations.NullMarked;
