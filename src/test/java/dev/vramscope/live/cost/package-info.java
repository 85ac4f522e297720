@NullMarked
package dev.vramscope.live.cost;

import org.jspecify.annotations.NullMarked;
