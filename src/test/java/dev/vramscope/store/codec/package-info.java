@NullMarked
package dev.vramscope.store.codec;

import org.jspecify.annotations.NullMarked;
