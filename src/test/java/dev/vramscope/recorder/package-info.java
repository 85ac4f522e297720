@NullMarked
package dev.vramscope.recorder;

import org.jspecify.annotations.NullMarked;
