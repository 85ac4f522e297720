/**
 * What a snapshot or a log says, as one document to hand on: as HTML, plain text, Markdown or JSON.
 *
 * <p>A {@link dev.vramscope.report.Report} is made of sections, and sections of parts; the writers
 * know the parts, and nothing of snapshots.
 */
@NullMarked
package dev.vramscope.report;

import org.jspecify.annotations.NullMarked;
