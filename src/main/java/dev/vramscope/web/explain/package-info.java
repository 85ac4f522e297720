/** Logs that are explained without being stored. */
@NullMarked
package dev.vramscope.web.explain;

import org.jspecify.annotations.NullMarked;
