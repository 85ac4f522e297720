/**
 * Replays of one recorded run under many settings: {@link dev.vramscope.whatif.replays.WhatIf} runs
 * them, and uses and keeps results ({@link dev.vramscope.whatif.replays.KnownReplays}).
 */
@NullMarked
package dev.vramscope.whatif.replays;

import org.jspecify.annotations.NullMarked;
