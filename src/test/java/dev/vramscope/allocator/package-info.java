@NullMarked
package dev.vramscope.allocator;

import org.jspecify.annotations.NullMarked;
