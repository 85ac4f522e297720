package dev.vramscope.format.export.parquet;

import org.jspecify.annotations.Nullable;

/**
 * Where the values of a column in a row group are in the file.
 *
 * @param rowCount with those without a value
 * @param nullCount rows without a value
 * @param range the lowest and the highest number, or null
 * @param start the offset of the first page
 * @param dataStart the offset of the data page
 * @param uncompressedBytes of the pages with their headers
 * @param storedBytes of the pages with their headers
 */
record Chunk(
    int rowCount,
    int nullCount,
    ParquetColumn.@Nullable Range range,
    long start,
    long dataStart,
    long uncompressedBytes,
    long storedBytes) {}
