/** Two moments compared: of two snapshots, or of one. */
@NullMarked
package dev.vramscope.web.compare;

import org.jspecify.annotations.NullMarked;
