@NullMarked
package dev.vramscope.format.torch;

import org.jspecify.annotations.NullMarked;
