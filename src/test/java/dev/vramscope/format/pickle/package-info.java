@NullMarked
package dev.vramscope.format.pickle;

import org.jspecify.annotations.NullMarked;
