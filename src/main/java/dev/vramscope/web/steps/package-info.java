/** The steps of a run and the memory of each. */
@NullMarked
package dev.vramscope.web.steps;

import org.jspecify.annotations.NullMarked;
