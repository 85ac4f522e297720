@NullMarked
package dev.vramscope.inspection;

import org.jspecify.annotations.NullMarked;
