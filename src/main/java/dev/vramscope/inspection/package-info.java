/**
 * What is known about one snapshot: analyses, budget, post-mortem and replays, put together. Pages,
 * REST, reports and commands ask the same objects, so that all give the same answer. What only one
 * page shows, such as a chart of chosen events, that page asks of an analysis itself.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>An <em>inspection</em> is a decoded snapshot ({@link
 *       dev.vramscope.inspection.SnapshotInspection}), or one of its devices ({@link
 *       dev.vramscope.inspection.DeviceInspection}), with everything that can be computed from it.
 *   <li>Nothing is computed before it is asked for, and nothing twice: what follows from the
 *       recording alone is kept as long as the inspection, and the latest answers that also depend
 *       on a question or on evidence are kept beside it.
 *   <li>An answer is a value of the model or of an analysis. It has no text that depends on where
 *       it is shown.
 * </ul>
 */
@NullMarked
package dev.vramscope.inspection;

import org.jspecify.annotations.NullMarked;
