@NullMarked
package dev.vramscope.whatif;

import org.jspecify.annotations.NullMarked;
