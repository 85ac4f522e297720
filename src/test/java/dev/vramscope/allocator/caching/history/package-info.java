@NullMarked
package dev.vramscope.allocator.caching.history;

import org.jspecify.annotations.NullMarked;
