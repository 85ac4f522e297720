/**
 * Replays of a recording under other settings.
 *
 * <ul>
 *   <li>A {@link dev.vramscope.web.whatif.WhatIfJob} runs the replays of one {@link
 *       dev.vramscope.web.whatif.WhatIfPlan}; {@link dev.vramscope.web.whatif.WhatIfJobs} limits
 *       how many run.
 *   <li>{@link dev.vramscope.web.whatif.StoredReplays} keeps results with their snapshot, for
 *       post-mortems, too.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.whatif;

import org.jspecify.annotations.NullMarked;
