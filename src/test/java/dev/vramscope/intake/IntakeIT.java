package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.store.OriginalFile;
import dev.vramscope.store.SaveResult;
import dev.vramscope.store.SnapshotFilter;
import dev.vramscope.store.StoreFixture;
import dev.vramscope.store.Tags;
import dev.vramscope.store.TestUploads;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class IntakeIT {
  private static final byte[] FILE = JsonSnapshots.file(1, 500, 5000);

  @TempDir Path folder;
  private IntakeFixture fixture;

  @BeforeEach
  void open() {
    fixture = new IntakeFixture(folder);
  }

  @AfterEach
  void close() throws IOException {
    assertEquals(0, TestUploads.spooled(folder));
    fixture.close();
  }

  @Test
  void everyEnvelopeGivesTheSameSnapshot() throws Exception {
    Map<String, byte[]> envelopes =
        Map.of(
            "none", FILE,
            "gzip", gzip(FILE),
            "zstd", Zstd.compress(FILE),
            "zip", zip(Map.of("../../etc/a.json", FILE)));
    String id = TestUploads.sha256(FILE).substring(0, 16);
    for (Map.Entry<String, byte[]> envelope : envelopes.entrySet()) {
      SaveResult saved = accept(envelope.getValue());
      assertEquals(id, saved.snapshot().id(), envelope.getKey());
      assertEquals(FILE.length, saved.snapshot().originalBytes());
      assertEquals(500, saved.snapshot().eventCount());
      try (OriginalFile original = fixture.store().original(id).orElseThrow()) {
        assertArrayEquals(FILE, original.stream().readAllBytes(), envelope.getKey());
      }
      assertTrue(fixture.store().delete(id));
    }
  }

  @Test
  void aGzipFileOfSeveralPartsIsOneFile() throws Exception {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    int at = 0;
    for (int length = 1; at < FILE.length; length = Math.min(length * 3, FILE.length - at)) {
      parts.write(gzip(Arrays.copyOfRange(FILE, at, at + length)));
      at += length;
    }
    // One byte at a time, as a slow connection may deliver: parts meet at every place of a buffer.
    InputStream slow = new Dribble(parts.toByteArray());
    SaveResult saved = fixture.intake().accept(slow, request(parts.size()));
    assertEquals(TestUploads.sha256(FILE), saved.snapshot().sha256());
  }

  @Test
  void aSecondUploadIsKnownAndItsTagsReplaceTheFirstOnes() throws Exception {
    Tags first = new Tags("llama", "0", null, 1L, List.of("a"));
    Tags second = new Tags("llama", "1", null, null, List.of());
    assertFalse(accept(FILE, first).existed());
    SaveResult again = accept(gzip(FILE), second);
    assertTrue(again.existed());
    assertEquals(new Tags("llama", "1", null, 1L, List.of("a")), again.snapshot().tags());
  }

  @Test
  void manyUploadsOfTheSameFileAtOnceAreStoredOnce() throws Exception {
    List<Future<SaveResult>> saves = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 16; i++) {
        saves.add(clients.submit(() -> accept(FILE)));
      }
    }
    int fresh = 0;
    for (Future<SaveResult> saved : saves) {
      assertEquals(TestUploads.sha256(FILE), saved.get().snapshot().sha256());
      fresh += saved.get().existed() ? 0 : 1;
    }
    assertEquals(1, fresh);
    assertEquals(1, fixture.store().count(SnapshotFilter.newest(0)));
  }

  @Test
  void anUploadThatIsCutOffLeavesNothing() {
    for (byte[] whole : List.of(FILE, gzip(FILE), Zstd.compress(FILE), zip(Map.of("a", FILE)))) {
      for (int length : new int[] {0, 1, 3, 100, whole.length / 2, whole.length - 1}) {
        byte[] part = Arrays.copyOf(whole, length);
        UploadInterruptedException cut =
            assertThrows(
                UploadInterruptedException.class,
                () ->
                    fixture.intake().accept(new ByteArrayInputStream(part), request(whole.length)));
        assertEquals(length, cut.receivedBytes());
        assertEquals(whole.length, cut.declaredBytes());
      }
    }
    assertNothingStored();
  }

  @Test
  void aConnectionThatBreaksIsNotABadFile() {
    byte[] packed = gzip(FILE);
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(packed, 0, packed.length / 2), new BrokenConnection());
    UploadInterruptedException cut =
        assertThrows(
            UploadInterruptedException.class, () -> fixture.intake().accept(broken, request(-1)));
    assertEquals(packed.length / 2, cut.receivedBytes());
    assertNothingStored();
  }

  @Test
  void aCompressedFileThatEndsEarlyIsABadFile() {
    for (byte[] whole : List.of(gzip(FILE), Zstd.compress(FILE), zip(Map.of("a", FILE)))) {
      byte[] half = Arrays.copyOf(whole, whole.length / 2);
      FormatException refused = assertThrows(FormatException.class, () -> accept(half));
      assertTrue(
          refused.reason() == Reason.TRUNCATED || refused.reason() == Reason.MALFORMED,
          refused.toString());
    }
    assertNothingStored();
  }

  @Test
  void compressedTwiceIsTooMuch() {
    for (byte[] twice :
        List.of(
            gzip(gzip(FILE)),
            Zstd.compress(gzip(FILE)),
            gzip(Zstd.compress(FILE)),
            zip(Map.of("a", gzip(FILE))))) {
      FormatException refused = assertThrows(FormatException.class, () -> accept(twice));
      assertTrue(refused.what().contains("compressed twice"), refused.what());
    }
    assertNothingStored();
  }

  @Test
  void aZipHoldsOneFile() throws Exception {
    byte[] second = zip(Map.of("a.json", FILE, "b.json", FILE));
    assertTrue(
        assertThrows(FormatException.class, () -> accept(second)).what().contains("more than one"));
    assertTrue(
        assertThrows(FormatException.class, () -> accept(zip(Map.of())))
            .what()
            .contains("no file"));
    assertNothingStored();
    assertEquals(
        500,
        accept(zip(Map.of("dir/a.json", FILE, "__MACOSX/._a", new byte[9])))
            .snapshot()
            .eventCount());
  }

  @Test
  void limitsAreKept() throws Exception {
    fixture.close();
    IntakeLimits small =
        new IntakeLimits(
            DataSize.ofMegabytes(1), DataSize.ofMegabytes(2), 50, Duration.ofMinutes(1));
    fixture = new IntakeFixture(folder, small);
    byte[] large = JsonSnapshots.file(2, 10, 1_500_000);
    FormatException declared = assertThrows(FormatException.class, () -> accept(large));
    assertEquals(Reason.TOO_LARGE, declared.reason());
    assertTrue(declared.next().contains("vramscope.limits.max-upload"), declared.next());
    FormatException undeclared =
        assertThrows(
            FormatException.class,
            () -> fixture.intake().accept(new ByteArrayInputStream(large), request(-1)));
    assertEquals(Reason.TOO_LARGE, undeclared.reason());
    byte[] blanks = new byte[4 << 20];
    Arrays.fill(blanks, (byte) ' ');
    blanks[0] = '{';
    blanks[1] = '}';
    FormatException bomb = assertThrows(FormatException.class, () -> accept(gzip(blanks)));
    assertTrue(bomb.next().contains("vramscope.limits.max-ratio"), bomb.toString());
    FormatException unpacked =
        assertThrows(
            FormatException.class, () -> accept(gzip(JsonSnapshots.file(3, 20_000, 1000))));
    assertTrue(unpacked.next().contains("vramscope.limits.max-uncompressed"), unpacked.toString());
    assertNothingStored();
    assertEquals(500, accept(FILE).snapshot().eventCount());
  }

  @Test
  void tooManyAtOnceAreToldToComeAgain() throws Exception {
    fixture.close();
    try (var store = new StoreFixture(folder)) {
      Intake none =
          new Intake(store.spool(), store.store(), IntakeFixture.LIMITS, new IntakeSettings(0, 60));
      assertThrows(
          IntakeBusyException.class,
          () -> none.accept(new ByteArrayInputStream(FILE), request(FILE.length)));
    }
    open();
  }

  private SaveResult accept(byte[] body) throws IOException, FormatException {
    return accept(body, Tags.NONE);
  }

  private SaveResult accept(byte[] body, Tags tags) throws IOException, FormatException {
    return fixture
        .intake()
        .accept(new ByteArrayInputStream(body), new UploadRequest("a.json", tags, body.length));
  }

  private static UploadRequest request(long declaredLength) {
    return new UploadRequest("a\r\nb\u001b[31m", Tags.NONE, declaredLength);
  }

  private void assertNothingStored() {
    assertEquals(0, fixture.store().count(SnapshotFilter.newest(0)));
  }

  private static byte[] gzip(byte[] file) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(file);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return packed.toByteArray();
  }

  private static byte[] zip(Map<String, byte[]> files) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(packed)) {
      out.putNextEntry(new ZipEntry("dir/"));
      for (Map.Entry<String, byte[]> file : new TreeMap<>(files).entrySet()) {
        out.putNextEntry(new ZipEntry(file.getKey()));
        out.write(file.getValue());
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return packed.toByteArray();
  }

  /** What a servlet container throws when the client is gone. */
  private static final class BrokenConnection extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("Connection reset by peer");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return read();
    }
  }

  /** One byte a call. */
  private static final class Dribble extends ByteArrayInputStream {
    Dribble(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      return super.read(bytes, offset, Math.min(length, 1));
    }
  }
}
