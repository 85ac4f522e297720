/** Messages of libraries and of the driver. */
@NullMarked
package dev.vramscope.explain.library;

import org.jspecify.annotations.NullMarked;
