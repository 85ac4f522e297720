/** The segments over time, and what was at an address before. */
@NullMarked
package dev.vramscope.analysis.segments;

import org.jspecify.annotations.NullMarked;
