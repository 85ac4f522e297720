/**
 * A report in words: what happened, who holds the memory, what to do next.
 *
 * <ul>
 *   <li>A {@link dev.vramscope.postmortem.explanation.Sentence} consists of words, numbers and
 *       links to what they are about.
 *   <li>A {@link dev.vramscope.postmortem.explanation.Remedy} has its proof and its price.
 * </ul>
 */
@NullMarked
package dev.vramscope.postmortem.explanation;

import org.jspecify.annotations.NullMarked;
