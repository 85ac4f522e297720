/** Tests of this package. */
@NullMarked
package dev.vramscope.format.export.parquet;

import org.jspecify.annotations.NullMarked;
