/**
 * Replays of recorded runs under many settings.
 *
 * <ul>
 *   <li>{@link dev.vramscope.whatif.replays.WhatIf} runs those of one recording, and uses and keeps
 *       results ({@link dev.vramscope.whatif.replays.KnownReplays}).
 *   <li>A {@link dev.vramscope.whatif.replays.WhatIfPlan} says what to replay: {@link
 *       dev.vramscope.whatif.replays.WhatIfSettings} by row. {@link
 *       dev.vramscope.whatif.replays.WhatIfJobs} runs plans for clients, a {@link
 *       dev.vramscope.whatif.replays.WhatIfJob} each.
 * </ul>
 */
@NullMarked
package dev.vramscope.whatif.replays;

import org.jspecify.annotations.NullMarked;
