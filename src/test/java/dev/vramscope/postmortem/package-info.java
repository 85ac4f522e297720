@NullMarked
package dev.vramscope.postmortem;

import org.jspecify.annotations.NullMarked;
