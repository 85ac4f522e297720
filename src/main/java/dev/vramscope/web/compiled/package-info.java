/** Compiled programs: where the bytes go, the packing map, the peak, donation, variants. */
@NullMarked
package dev.vramscope.web.compiled;

import org.jspecify.annotations.NullMarked;
