/** Messages of PyTorch. */
@NullMarked
package dev.vramscope.explain.torch;

import org.jspecify.annotations.NullMarked;
