@NullMarked
package dev.vramscope.live.workload;

import org.jspecify.annotations.NullMarked;
