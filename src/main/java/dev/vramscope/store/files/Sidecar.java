package dev.vramscope.store.files;

import dev.vramscope.evidence.AttachedText;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.VisibleText;
import dev.vramscope.store.codec.Crc32c;
import dev.vramscope.store.listing.DeviceTotals;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.store.listing.Upload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON file beside an original: what the upload carried, what a user typed, and how the
 * original is verified. It holds all that cannot be computed from the original.
 *
 * <pre>
 *   {"crc32c":"1a2b3c4d",  checksum of all bytes that follow the comma
 *    "id": …}
 * </pre>
 *
 * @param id of the snapshot
 * @param sha256 of the uncompressed original, in hex
 * @param name the display name
 * @param tags the tags
 * @param uploaded the time of the first upload
 * @param originalBytes length of the uncompressed original
 * @param fileBytes length of the compressed original
 * @param fileChecksum CRC-32C of the compressed original
 * @param format the format of the snapshot's origin
 * @param producer the producer of the snapshot's origin; a snapshot of a hosted allocator has
 *     another one than the file that is written for it
 * @param evidence the texts that users attached, by their number
 */
public record Sidecar(
    String id,
    String sha256,
    String name,
    Tags tags,
    Instant uploaded,
    long originalBytes,
    long fileBytes,
    long fileChecksum,
    String format,
    String producer,
    List<AttachedText> evidence) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String START = "{\"crc32c\":\"";
  private static final String END = "\",";
  private static final int CHECKED_FROM = START.length() + Crc32c.HEX_DIGITS + END.length();

  public Sidecar {
    evidence = List.copyOf(evidence);
  }

  /** The file's bytes differ from those that were written. */
  public static final class DamagedSidecarException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedSidecarException(String what) {
      super(what);
    }
  }

  /**
   * The row of this snapshot.
   *
   * @param peakBytes the most that was allocated at one time; null if the file does not show it
   */
  public StoredSnapshot row(Snapshot snapshot, @Nullable Long peakBytes, int findingCount) {
    List<DeviceTotals> devices = snapshot.devices().stream().map(DeviceTotals::of).toList();
    DeviceTotals total = DeviceTotals.total(devices);
    return new StoredSnapshot(
        id,
        name,
        tags,
        uploaded,
        sha256,
        originalBytes,
        0,
        snapshot.origin().format(),
        snapshot.origin().producer(),
        new StoredSnapshot.Totals(
            devices.size(),
            total.eventCount(),
            total.segmentCount(),
            total.blockCount(),
            total.reservedBytes(),
            total.allocatedBytes(),
            peakBytes,
            snapshot.devices().stream().mapToInt(device -> device.failedRequestCount()).sum(),
            findingCount),
        /* answer= */ null);
  }

  /** The sidecar of an upload; the compressed file is added by {@link #withFile}. */
  public static Sidecar of(String id, Upload upload, Snapshot snapshot) {
    return new Sidecar(
        id,
        upload.sha256(),
        upload.name(),
        upload.tags(),
        Instant.now().truncatedTo(ChronoUnit.MICROS),
        upload.bytes(),
        0,
        0,
        snapshot.origin().format(),
        snapshot.origin().producer(),
        List.of());
  }

  /** The sidecar of a snapshot in the database. */
  public static Sidecar of(StoredSnapshot stored, List<AttachedText> evidence) {
    return new Sidecar(
        stored.id(),
        stored.sha256(),
        stored.name(),
        stored.tags(),
        stored.uploaded(),
        stored.originalBytes(),
        0,
        0,
        stored.format(),
        stored.producer(),
        evidence);
  }

  /** The sidecar of an original of which nothing else is left. */
  public static Sidecar adopted(String sha256, long originalBytes, Instant uploaded) {
    String id = sha256.substring(0, StoredSnapshot.MIN_ID_LENGTH);
    return new Sidecar(
        id,
        sha256,
        StoredSnapshot.RECOVERED + id,
        Tags.NONE,
        uploaded,
        originalBytes,
        0,
        0,
        "",
        "",
        List.of());
  }

  /** Whether the file was stored as a log, or nobody knows any more as what. */
  public boolean mayBeLog() {
    return format.isEmpty() || format.equals(Origin.LOG);
  }

  /** A snapshot that was read from the original, with the origin of the upload. */
  public Snapshot withOrigin(Snapshot snapshot) {
    return format.isEmpty()
        ? snapshot
        : new Snapshot(
            new Origin(format, producer, snapshot.origin().captureMicros()),
            snapshot.settings(),
            snapshot.devices(),
            snapshot.stacks(),
            snapshot.findings());
  }

  public Sidecar with(String otherName, Tags otherTags) {
    return new Sidecar(
        id,
        sha256,
        otherName,
        otherTags,
        uploaded,
        originalBytes,
        fileBytes,
        fileChecksum,
        format,
        producer,
        evidence);
  }

  public Sidecar withEvidence(List<AttachedText> other) {
    return new Sidecar(
        id,
        sha256,
        name,
        tags,
        uploaded,
        originalBytes,
        fileBytes,
        fileChecksum,
        format,
        producer,
        other);
  }

  /** A copy for another compressed file with the same content. */
  public Sidecar withFile(long bytes, long checksum) {
    return new Sidecar(
        id,
        sha256,
        name,
        tags,
        uploaded,
        originalBytes,
        bytes,
        checksum,
        format,
        producer,
        evidence);
  }

  public byte[] encode() {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", id);
    json.put("sha256", sha256);
    json.put("name", name);
    json.put("uploaded", uploaded.toString());
    json.put("originalBytes", originalBytes);
    json.put("fileBytes", fileBytes);
    json.put("fileCrc32c", Crc32c.hex(fileChecksum));
    json.put("format", format);
    json.put("producer", producer);
    json.put("job", tags.job());
    json.put("rank", tags.rank());
    json.put("host", tags.host());
    json.put("step", tags.step());
    tags.labels().forEach(json.putArray("labels")::add);
    if (!evidence.isEmpty()) {
      putEvidence(json.putArray("evidence"));
    }
    // A lone surrogate is not UTF-8, and whoever prints the file reads names of others.
    String members = VisibleText.of(JSON.writeValueAsString(json)).substring(1) + "\n";
    byte[] checked = members.getBytes(StandardCharsets.UTF_8);
    byte[] start =
        (START + Crc32c.hex(Crc32c.of(checked)) + END).getBytes(StandardCharsets.US_ASCII);
    byte[] file = new byte[start.length + checked.length];
    System.arraycopy(start, 0, file, 0, start.length);
    System.arraycopy(checked, 0, file, start.length, checked.length);
    return file;
  }

  private void putEvidence(ArrayNode texts) {
    for (AttachedText each : evidence) {
      ObjectNode text = texts.addObject();
      text.put("number", each.number());
      text.put("device", each.device());
      text.put("gpu", each.gpu());
      text.put("added", each.added().toString());
      text.put("text", each.text());
    }
  }

  /**
   * Decodes a sidecar.
   *
   * @param sha256 the expected hash
   */
  public static Sidecar decode(byte[] file, String sha256) throws DamagedSidecarException {
    if (file.length <= CHECKED_FROM) {
      throw new DamagedSidecarException("it has " + file.length + " bytes");
    }
    String start = new String(file, 0, CHECKED_FROM, StandardCharsets.ISO_8859_1);
    if (!start.equals(START + Crc32c.hex(Crc32c.from(CHECKED_FROM, file)) + END)) {
      throw new DamagedSidecarException("its checksum does not match");
    }
    try {
      JsonNode json = JSON.readTree(file);
      Sidecar sidecar =
          new Sidecar(
              json.required("id").asString(),
              json.required("sha256").asString(),
              json.required("name").asString(),
              tags(json),
              Instant.parse(json.required("uploaded").asString()),
              json.required("originalBytes").asLong(),
              json.required("fileBytes").asLong(),
              HexFormat.fromHexDigitsToLong(json.required("fileCrc32c").asString()),
              json.required("format").asString(),
              json.required("producer").asString(),
              evidence(json));
      if (!sidecar.sha256.equals(sha256)) {
        throw new DamagedSidecarException("it belongs to the file " + sidecar.sha256);
      }
      return sidecar;
    } catch (JacksonException | IllegalArgumentException | DateTimeParseException unreadable) {
      throw new DamagedSidecarException("it is not readable: " + unreadable.getMessage());
    }
  }

  private static Tags tags(JsonNode json) {
    List<String> labels = new ArrayList<>();
    json.path("labels").forEach(label -> labels.add(label.asString()));
    JsonNode step = json.path("step");
    return new Tags(
        text(json, "job"),
        text(json, "rank"),
        text(json, "host"),
        step.isNumber() ? step.asLong() : null,
        labels);
  }

  /** Empty in a file of an older release. */
  private static List<AttachedText> evidence(JsonNode json) {
    List<AttachedText> texts = new ArrayList<>();
    for (JsonNode each : json.path("evidence")) {
      JsonNode gpu = each.path("gpu");
      texts.add(
          new AttachedText(
              each.required("number").asInt(),
              each.required("device").asInt(),
              gpu.isNumber() ? gpu.asInt() : null,
              Instant.parse(each.required("added").asString()),
              each.required("text").asString()));
    }
    return texts;
  }

  private static @Nullable String text(JsonNode json, String member) {
    JsonNode value = json.path(member);
    return value.isString() ? value.asString() : null;
  }
}
