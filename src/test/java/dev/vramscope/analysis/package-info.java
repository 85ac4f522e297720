@NullMarked
package dev.vramscope.analysis;

import org.jspecify.annotations.NullMarked;
