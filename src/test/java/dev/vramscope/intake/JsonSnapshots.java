package dev.vramscope.intake;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Small snapshots as JSON files, determined by a seed. */
public final class JsonSnapshots {
  private JsonSnapshots() {}

  /** A trace of {@code events} events, and random text under an unknown key as filler. */
  public static byte[] file(long seed, int events, int noteLength) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder json = new StringBuilder("{\"segments\":[],\"device_traces\":[[");
    for (int event = 0; event < events; event++) {
      json.append(event == 0 ? "" : ",")
          .append("{\"action\":\"alloc\",\"addr\":")
          .append(140_000_000_000_000L + 512L * random.nextInt(1 << 20))
          .append(",\"size\":")
          .append(512 * random.nextInt(1, 4000))
          .append(",\"stream\":0,\"time_us\":")
          .append(1_700_000_000_000_000L + 10L * event)
          .append(",\"frames\":[{\"name\":\"f")
          .append(random.nextInt(50))
          .append("\",\"filename\":\"train.py\",\"line\":")
          .append(random.nextInt(1, 900))
          .append("}]}");
    }
    json.append("]],\"note\":\"").append(seed).append(' ');
    for (int i = 0; i < noteLength; i++) {
      json.append((char) random.nextInt('0', 'z'));
    }
    String text = json.append("\"}").toString().replace("\\", "_");
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
