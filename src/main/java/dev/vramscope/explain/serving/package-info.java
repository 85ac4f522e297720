/** Messages of programs that serve models. */
@NullMarked
package dev.vramscope.explain.serving;

import org.jspecify.annotations.NullMarked;
