/**
 * Answers to requests that failed.
 *
 * <ul>
 *   <li>A {@link dev.vramscope.web.problem.Problem} says what is wrong, how much, where, and what
 *       to do next: as JSON for programs, as a page for people.
 *   <li>Only {@link dev.vramscope.web.problem.ProblemAdvice} maps exceptions to problems and their
 *       status; {@link dev.vramscope.web.problem.RefusedRequestException} is thrown by controllers
 *       for what a request may not ask.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.problem;

import org.jspecify.annotations.NullMarked;
