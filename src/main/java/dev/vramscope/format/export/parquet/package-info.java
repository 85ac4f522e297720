/**
 * Writes Parquet files: the part of the format that a table of numbers and texts needs.
 *
 * <pre>
 *   "PAR1"
 *   row group:  for each column   [dictionary page]  data page      ZSTD, one page each
 *   …
 *   footer:     schema, and where the pages of each column are      Thrift, compact protocol
 *   length of the footer, "PAR1"
 * </pre>
 *
 * <p>Numbers are PLAIN; texts are numbers of a dictionary, one for each row group, so that a stack
 * is stored once however many events have it. A writer holds one row group.
 */
@NullMarked
package dev.vramscope.format.export.parquet;

import org.jspecify.annotations.NullMarked;
