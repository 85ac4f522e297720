/**
 * Several recordings of one process, in the order of time: which code holds more memory from one to
 * the next, and how the devices differ. Pure functions of what each recording held at its end.
 */
@NullMarked
package dev.vramscope.analysis.series;

import org.jspecify.annotations.NullMarked;
