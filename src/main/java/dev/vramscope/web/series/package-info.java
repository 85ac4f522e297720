/** Recordings of one process over time: what grows, what is compiled, which device differs. */
@NullMarked
package dev.vramscope.web.series;

import org.jspecify.annotations.NullMarked;
