/** Allocation sites: who holds memory. */
@NullMarked
package dev.vramscope.web.sites;

import org.jspecify.annotations.NullMarked;
