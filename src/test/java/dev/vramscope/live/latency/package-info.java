@NullMarked
package dev.vramscope.live.latency;

import org.jspecify.annotations.NullMarked;
