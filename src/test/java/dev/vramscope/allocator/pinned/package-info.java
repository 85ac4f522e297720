@NullMarked
package dev.vramscope.allocator.pinned;

import org.jspecify.annotations.NullMarked;
