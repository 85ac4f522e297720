/** Allocation sites: who holds memory, and the page of one stack. */
@NullMarked
package dev.vramscope.web.sites;

import org.jspecify.annotations.NullMarked;
