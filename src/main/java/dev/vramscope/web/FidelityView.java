package dev.vramscope.web;

import java.util.List;

/**
 * What a replay stands on.
 *
 * @param operations requests and frees that a replay runs
 * @param events events of the recording
 * @param notes what the recording leaves open
 */
record FidelityView(int operations, int events, List<String> notes) {
  static FidelityView of(LoadedDevice device) {
    return new FidelityView(device.run().operations(), device.run().events(), device.run().notes());
  }
}
