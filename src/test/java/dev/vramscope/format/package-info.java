@NullMarked
package dev.vramscope.format;

import org.jspecify.annotations.NullMarked;
