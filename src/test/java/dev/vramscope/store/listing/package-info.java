@NullMarked
package dev.vramscope.store.listing;

import org.jspecify.annotations.NullMarked;
