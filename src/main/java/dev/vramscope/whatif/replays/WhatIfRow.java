package dev.vramscope.whatif.replays;

import dev.vramscope.whatif.Outcome;
import dev.vramscope.whatif.Variant;

/** One variant of a {@link WhatIf}, and how far its replay is. */
public sealed interface WhatIfRow {
  /** The allocator and its settings. */
  Variant variant();

  /** Whether there is nothing more to come. */
  default boolean hasEnded() {
    return this instanceof Replayed || this instanceof Refused;
  }

  /** Not begun, or cancelled. */
  record Waiting(Variant variant) implements WhatIfRow {}

  /**
   * Being replayed.
   *
   * @param percent of the operations replayed so far
   */
  record Running(Variant variant, int percent) implements WhatIfRow {}

  /** Replayed to the end. */
  record Replayed(Variant variant, Outcome outcome) implements WhatIfRow {}

  /**
   * Cannot be replayed.
   *
   * @param reason a sentence for users: PyTorch's message about the settings, or a limit
   */
  record Refused(Variant variant, String reason) implements WhatIfRow {}
}
