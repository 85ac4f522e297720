@NullMarked
package dev.vramscope.format.export;

import org.jspecify.annotations.NullMarked;
