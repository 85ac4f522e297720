/** Messages of XLA and TensorFlow. */
@NullMarked
package dev.vramscope.explain.xla;

import org.jspecify.annotations.NullMarked;
