@NullMarked
package dev.vramscope.cli.replay;

import org.jspecify.annotations.NullMarked;
