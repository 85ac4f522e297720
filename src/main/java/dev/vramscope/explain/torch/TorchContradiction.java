package dev.vramscope.explain.torch;

import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.producer.Conclusion;

/** What follows if the numbers of a message contradict each other. */
final class TorchContradiction {
  private final Conclusion.Builder conclusion;
  private final TorchNumbers numbers;

  TorchContradiction(Conclusion.Builder conclusion, TorchNumbers numbers) {
    this.conclusion = conclusion;
    this.numbers = numbers;
  }

  /** Says which numbers contradict each other. */
  void add(TorchNumbers.Contradiction kind) {
    switch (kind) {
      case EXCEEDS_DEVICE -> {
        conclusion.certain(
            "More is allocated, "
                + text(numbers.allocated().orElseThrow())
                + ", than the device has, "
                + text(numbers.total().orElseThrow())
                + ": part of it is not in the memory of the device.");
        conclusion.likely(
            "The driver for Windows and WSL moved part of it into the memory of the host, which is"
                + " slow. Then neither the free memory in the message nor the size of the device is"
                + " the limit.");
        conclusion.remedy(
            "Turn off the fallback in NVIDIA’s control panel: CUDA – Sysmem Fallback Policy, Prefer"
                + " No Sysmem Fallback. The program then fails at the size of the device, with"
                + " numbers that add up.",
            "");
      }
      case EXCEEDS_WITH_FREE -> {
        conclusion.certain(
            "The numbers contradict each other: what the allocator holds and the free memory"
                + " together are "
                + text(numbers.free().map(held()::plus).orElse(held()))
                + ", more than the size of the device, "
                + text(numbers.total().orElseThrow())
                + ".");
        mixedUp();
      }
      case EXCEEDS_PROCESS -> {
        conclusion.certain(
            "The numbers contradict each other: this process is said to use "
                + text(numbers.thisProcess().orElseThrow())
                + ", less than the "
                + text(held())
                + " that its allocator holds.");
        mixedUp();
      }
    }
  }

  private Quantity held() {
    return numbers.reserved().or(() -> numbers.allocated()).orElseThrow();
  }

  private void mixedUp() {
    conclusion.unknown(
        "Why the request failed. Messages of several devices may be mixed up, or the text was"
            + " edited.");
  }
}
