@NullMarked
package dev.vramscope.whatif.replays;

import org.jspecify.annotations.NullMarked;
