/** Flame graphs of stacks. */
@NullMarked
package dev.vramscope.web.flame;

import org.jspecify.annotations.NullMarked;
