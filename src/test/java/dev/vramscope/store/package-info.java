@NullMarked
package dev.vramscope.store;

import org.jspecify.annotations.NullMarked;
