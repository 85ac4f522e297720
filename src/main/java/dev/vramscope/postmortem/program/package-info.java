/**
 * What a program holds when a request fails, and what to change in it: the parts of its memory by
 * what they are used for, and the rules of the resources {@code remedies/}.
 */
@NullMarked
package dev.vramscope.postmortem.program;

import org.jspecify.annotations.NullMarked;
