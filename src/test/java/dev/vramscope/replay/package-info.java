@NullMarked
package dev.vramscope.replay;

import org.jspecify.annotations.NullMarked;
