/** What a reader or an analysis has found wrong or missing in a recording: kind, place, advice. */
@NullMarked
package dev.vramscope.model.finding;

import org.jspecify.annotations.NullMarked;
