/**
 * Replays of a recording under other settings.
 *
 * <ul>
 *   <li>{@link dev.vramscope.whatif.replays.WhatIfJobs} runs the replays of a {@link
 *       dev.vramscope.whatif.replays.WhatIfPlan} and limits how many run.
 *   <li>This package reads what is asked, and shows the rows.
 * </ul>
 */
@NullMarked
package dev.vramscope.web.whatif;

import org.jspecify.annotations.NullMarked;
