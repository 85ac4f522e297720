/** Memory by allocation site: what is live at a moment, in a range, at the end, and what grows. */
@NullMarked
package dev.vramscope.analysis.sites;

import org.jspecify.annotations.NullMarked;
