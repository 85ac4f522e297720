@NullMarked
package dev.vramscope.plan;

import org.jspecify.annotations.NullMarked;
