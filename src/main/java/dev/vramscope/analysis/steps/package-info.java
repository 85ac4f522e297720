/** The steps of a run, from marks or from allocations that recur. */
@NullMarked
package dev.vramscope.analysis.steps;

import org.jspecify.annotations.NullMarked;
