@NullMarked
package dev.vramscope.cli;

import org.jspecify.annotations.NullMarked;
