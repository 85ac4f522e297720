@NullMarked
package dev.vramscope.model;

import org.jspecify.annotations.NullMarked;
