package dev.vramscope.whatif.replays;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Variant;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What to replay: the recording of one device of a snapshot, on a device of some size, under each
 * of some settings.
 */
public record WhatIfPlan(String snapshot, int device, DeviceSize size, List<WhatIfSettings> rows) {
  private static final int ID_DIGITS = 16;

  public WhatIfPlan {
    rows = List.copyOf(rows);
  }

  /** The allocators and settings of the rows. */
  List<Variant> variants() {
    return rows.stream().map(WhatIfSettings::variant).toList();
  }

  /** The same plan has the same id. */
  String id() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (WhatIfSettings row : rows) {
        digest.update((row.name() + "\n" + key(row) + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, ID_DIGITS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private String key(WhatIfSettings row) {
    return new ReplayKey(device, size, row.variant()).text();
  }
}
