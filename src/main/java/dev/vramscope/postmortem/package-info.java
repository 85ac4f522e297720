/**
 * Why a request failed, from the state of the allocator at that moment.
 *
 * <p>Terms and invariants:
 *
 * <ul>
 *   <li>A {@link dev.vramscope.postmortem.OomReport} belongs to one failed (or hypothetical)
 *       request.
 *   <li>Every free block of the device at that moment appears once, with the {@link
 *       dev.vramscope.postmortem.cause.Rejection} that explains why it was not used.
 *   <li>A {@link dev.vramscope.postmortem.cause.Verdict} states its certainty, with caveats if it
 *       is not certain.
 * </ul>
 */
@NullMarked
package dev.vramscope.postmortem;

import org.jspecify.annotations.NullMarked;
