@NullMarked
package dev.vramscope.allocator.caching;

import org.jspecify.annotations.NullMarked;
