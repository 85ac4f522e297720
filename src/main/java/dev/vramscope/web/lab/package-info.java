/** Experiments with allocators, and the topics of <em>Learn</em>. */
@NullMarked
package dev.vramscope.web.lab;

import org.jspecify.annotations.NullMarked;
