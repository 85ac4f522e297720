/** The list of recorded events, filtered. */
@NullMarked
package dev.vramscope.web.events;

import org.jspecify.annotations.NullMarked;
