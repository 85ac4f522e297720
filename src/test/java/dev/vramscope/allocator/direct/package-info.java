@NullMarked
package dev.vramscope.allocator.direct;

import org.jspecify.annotations.NullMarked;
