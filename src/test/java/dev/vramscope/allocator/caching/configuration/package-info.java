@NullMarked
package dev.vramscope.allocator.caching.configuration;

import org.jspecify.annotations.NullMarked;
