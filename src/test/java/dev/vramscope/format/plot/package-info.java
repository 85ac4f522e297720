@NullMarked
package dev.vramscope.format.plot;

import org.jspecify.annotations.NullMarked;
