/** The list of recorded events, filtered, and the page of one allocation. */
@NullMarked
package dev.vramscope.web.events;

import org.jspecify.annotations.NullMarked;
