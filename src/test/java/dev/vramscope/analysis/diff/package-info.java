@NullMarked
package dev.vramscope.analysis.diff;

import org.jspecify.annotations.NullMarked;
