/**
 * What frees would have changed: the cheapest sets of blocks, what pins free memory, the largest
 * request that fits.
 */
@NullMarked
package dev.vramscope.postmortem.frees;

import org.jspecify.annotations.NullMarked;
