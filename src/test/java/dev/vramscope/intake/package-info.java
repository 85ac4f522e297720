@NullMarked
package dev.vramscope.intake;

import org.jspecify.annotations.NullMarked;
