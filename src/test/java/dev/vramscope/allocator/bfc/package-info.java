@NullMarked
package dev.vramscope.allocator.bfc;

import org.jspecify.annotations.NullMarked;
