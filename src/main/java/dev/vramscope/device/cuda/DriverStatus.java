package dev.vramscope.device.cuda;

import java.util.List;

/** What became of the driver when it was looked for. */
public sealed interface DriverStatus {
  /**
   * It works.
   *
   * @param version of CUDA, as the driver says it
   * @param emulated whether it is the emulated driver of {@code native/}, which no GPU stands
   *     behind
   */
  record Ready(CudaVersion version, List<CudaCard> cards, boolean emulated)
      implements DriverStatus {
    public Ready {
      cards = List.copyOf(cards);
    }
  }

  /**
   * There is no driver, or no card for it.
   *
   * @param reason a sentence
   * @param advice a sentence: what to do
   */
  record Missing(String reason, String advice) implements DriverStatus {}

  /** There is a driver, but it lacks what is needed here. */
  record TooOld(CudaVersion version, CudaVersion needed) implements DriverStatus {}

  /**
   * There is a driver, but it does not work.
   *
   * @param call what was tried
   * @param error what came back
   */
  record Failed(String call, String error) implements DriverStatus {}

  /** All of it in a sentence or two. */
  default String text() {
    return switch (this) {
      case Ready(var version, var cards, var emulated) ->
          "%s %s with %s."
              .formatted(
                  emulated ? "The emulated CUDA driver" : "CUDA driver",
                  version,
                  String.join(", ", cards.stream().map(CudaCard::text).toList()));
      case Missing(var reason, var advice) -> reason + " " + advice;
      case TooOld(var version, var needed) ->
          "The CUDA driver is for CUDA %s; %s or newer is needed. Update the NVIDIA driver."
              .formatted(version, needed);
      case Failed(var call, var error) ->
          "The CUDA driver does not work: %s answered %s".formatted(call, error);
    };
  }
}
