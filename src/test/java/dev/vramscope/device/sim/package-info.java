@NullMarked
package dev.vramscope.device.sim;

import org.jspecify.annotations.NullMarked;
