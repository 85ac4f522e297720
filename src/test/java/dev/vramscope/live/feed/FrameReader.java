package dev.vramscope.live.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.model.BlockState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Decodes frames as a browser does, and describes an allocator in the same text for comparison. */
final class FrameReader {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** Segments as text that contains all their properties. */
  private final Map<Long, String> segments = new TreeMap<>();

  private final List<String> pools = new ArrayList<>();
  private final List<String> sites = new ArrayList<>();
  private final List<JsonNode> log = new ArrayList<>();
  private long version;
  private long allocatedBytes;
  private long activeBytes;
  private long reservedBytes;

  private JsonNode ledger = MAPPER.createObjectNode();

  /** The number of complete frames. */
  private int completeCount;

  /** Applies one frame. */
  void apply(byte[] json) {
    JsonNode frame = MAPPER.readTree(new String(json, StandardCharsets.UTF_8));
    long from = frame.get("from").longValue();
    if (from == 0) {
      segments.clear();
      completeCount++;
    } else {
      assertThat(from).isEqualTo(version);
    }
    version = frame.get("v").longValue();
    if (frame.has("pools")) {
      pools.clear();
      frame
          .get("pools")
          .forEach(pool -> pools.add(pool.get(0).asString() + " " + pool.get(1).intValue()));
    }
    if (frame.has("sites")) {
      JsonNode names = frame.get("sites");
      while (sites.size() > names.get(0).intValue()) {
        sites.removeLast();
      }
      assertThat(sites).hasSize(names.get(0).intValue());
      for (int i = 1; i < names.size(); i++) {
        sites.add(names.get(i).asString());
      }
    }
    if (frame.has("removed")) {
      frame.get("removed").forEach(id -> segments.remove(id.longValue()));
    }
    frame
        .get("segments")
        .forEach(segment -> segments.put(segment.get(0).longValue(), text(segment)));
    frame.get("log").forEach(log::add);
    allocatedBytes = frame.get("levels").get(1).longValue();
    activeBytes = frame.get("levels").get(2).longValue();
    reservedBytes = frame.get("levels").get(3).longValue();
    ledger = frame.get("ledger");
  }

  private String text(JsonNode segment) {
    long end = Long.decode(segment.get(1).asString());
    StringBuilder text =
        new StringBuilder(Long.toHexString(end))
            .append(" bytes ")
            .append(segment.get(2).longValue())
            .append(" stream ")
            .append(segment.get(3).intValue())
            .append(" pool ")
            .append(pools.get(segment.get(4).intValue()))
            .append(" expandable ")
            .append(segment.get(5).intValue());
    JsonNode blocks = segment.get(6);
    for (int i = 0; i < blocks.size(); ) {
      long address = end + blocks.get(i++).longValue();
      long bytes = blocks.get(i++).longValue();
      long unrequested = blocks.get(i++).longValue();
      int site = blocks.get(i++).intValue();
      assertThat(site).isLessThan(sites.size());
      int awaitedCount = blocks.get(i++).intValue();
      List<Integer> streams = new ArrayList<>();
      for (int k = 0; k < awaitedCount; k++) {
        streams.add(blocks.get(i++).intValue());
      }
      text.append(block(address, bytes, bytes - unrequested, awaitedCount >= 0, streams));
      end = address + bytes;
    }
    return text.toString();
  }

  private static String block(
      long address, long bytes, long requested, boolean pending, List<Integer> awaited) {
    return "\n  "
        + Long.toHexString(address)
        + " "
        + bytes
        + " of "
        + requested
        + (pending ? " waits for " + awaited : "");
  }

  /** The expected segments of an allocator. */
  static List<String> of(Allocator allocator) {
    List<String> all = new ArrayList<>();
    allocator
        .inspect()
        .visitSegments(
            segment -> {
              StringBuilder text =
                  new StringBuilder(Long.toHexString(segment.address()))
                      .append(" bytes ")
                      .append(segment.bytes())
                      .append(" stream ")
                      .append(segment.stream())
                      .append(" pool ")
                      .append(segment.pool())
                      .append(segment.large() ? " 1" : " 0")
                      .append(" expandable ")
                      .append(segment.expandable() ? 1 : 0);
              segment.blocks().stream()
                  .filter(block -> block.state().isActive())
                  .forEach(
                      block ->
                          text.append(
                              block(
                                  block.address(),
                                  block.bytes(),
                                  block.requestedBytes(),
                                  block.state() == BlockState.PENDING_FREE,
                                  block.awaited())));
              all.add(text.toString());
            });
    return all.stream().sorted().toList();
  }

  List<String> segments() {
    return segments.values().stream().sorted().toList();
  }

  List<String> sites() {
    return sites;
  }

  /** The bytes of an item of the ledger of the latest frame. */
  long ledger(Ledger.Item item) {
    return ledger.path(item.id()).asLong(0);
  }

  /** All numbers of a frame describe the same moment. */
  void assertLedgerAddsUp(long deviceBytes) {
    long requestedAndRounding = ledger(Ledger.Item.LIVE_REQUESTED) + ledger(Ledger.Item.ROUNDING);
    assertThat(requestedAndRounding).isEqualTo(allocatedBytes);
    assertThat(requestedAndRounding + ledger(Ledger.Item.PENDING_FREE)).isEqualTo(activeBytes);
    long reserved = 0;
    long total = 0;
    for (Ledger.Item item : Ledger.Item.values()) {
      assertThat(ledger.path(item.id()).isNull()).isFalse();
      reserved += item.isReserved() ? ledger(item) : 0;
      total += ledger(item);
    }
    assertThat(reserved).isEqualTo(reservedBytes);
    assertThat(total).isEqualTo(deviceBytes);
  }

  List<JsonNode> log() {
    return log;
  }

  long allocatedBytes() {
    return allocatedBytes;
  }

  long activeBytes() {
    return activeBytes;
  }

  long reservedBytes() {
    return reservedBytes;
  }

  /** The number of complete frames. */
  int completeCount() {
    return completeCount;
  }
}
