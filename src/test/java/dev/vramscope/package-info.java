@NullMarked
package dev.vramscope;

import org.jspecify.annotations.NullMarked;
