/** Tests of this package. */
@NullMarked
package dev.vramscope.format.export.perfetto;

import org.jspecify.annotations.NullMarked;
