package dev.vramscope.replay;

import dev.vramscope.device.Device;
import dev.vramscope.device.sim.SimSubAllocator;
import dev.vramscope.device.sim.SubAllocatorSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Replays golden cases with every memory call made on a card too.
 *
 * @param card opened, and used by nobody else meanwhile
 */
public record GoldenOnCard(Device card) {
  /**
   * What became of the cases below a folder.
   *
   * @param skipped cases that ask for more than the card has, with the reason
   * @param failures cases that differ, with the first difference
   */
  public record Tally(int passed, List<String> skipped, List<String> failures) {
    public Tally {
      skipped = List.copyOf(skipped);
      failures = List.copyOf(failures);
    }
  }

  public Tally replay(Path folder) throws IOException {
    int passed = 0;
    List<String> skipped = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (GoldenCase golden : GoldenCase.below(folder)) {
      String name = folder.relativize(golden.folder()).toString();
      try {
        Optional<String> difference = firstDifference(golden);
        if (difference.isEmpty()) {
          passed++;
        } else {
          failures.add(name + ": " + difference.get());
        }
      } catch (NoRoomOnCardException tooMuch) {
        skipped.add(name + ": " + tooMuch.getMessage());
      }
    }
    return new Tally(passed, skipped, failures);
  }

  private Optional<String> firstDifference(GoldenCase golden) throws IOException {
    ReplayConfig config = golden.config();
    return switch (TraceKind.of(config)) {
      case CACHING -> caching(golden, config);
      case BFC -> bfc(golden, BfcReplay.deviceSettings(config));
    };
  }

  private Optional<String> caching(GoldenCase golden, ReplayConfig config) throws IOException {
    try (ShadowCard shadow = new ShadowCard(CachingReplay.device(config), card)) {
      return golden.firstDifference(new CachingReplay(_ -> shadow));
    }
  }

  private Optional<String> bfc(GoldenCase golden, SubAllocatorSettings settings)
      throws IOException {
    if (settings.honoursRequestedAlignment()) {
      throw new NoRoomOnCardException("a card chooses alignments itself");
    }
    PlacedMemory places = new PlacedMemory(new SimSubAllocator(settings.unlimited()));
    ShadowMemory shadow = new ShadowMemory(places, card.memory());
    try {
      return golden.firstDifference(new BfcReplay(shadow));
    } finally {
      shadow.freeAll();
    }
  }
}
