package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.store.StoreFixture;
import dev.vramscope.store.TestUploads;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.work.HeavyWork;
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
import java.util.SplittableRandom;
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
    assertEquals(0, TestUploads.spoolFileCount(folder));
    fixture.close();
  }

  @Test
  void everyCompressionFormatGivesSameSnapshot() throws Exception {
    Map<String, byte[]> files =
        Map.of(
            "none", FILE,
            "gzip", gzip(FILE),
            "zstd", Zstd.compress(FILE),
            "zip", zip(Map.of("../../etc/a.json", FILE)));
    String id = TestUploads.sha256(FILE).substring(0, 16);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      SaveResult saved = accept(file.getValue());
      assertEquals(id, saved.snapshot().id(), file.getKey());
      assertEquals(FILE.length, saved.snapshot().originalBytes());
      assertEquals(500, saved.snapshot().eventCount());
      try (OriginalFile original = fixture.store().original(id).orElseThrow()) {
        assertArrayEquals(FILE, original.stream().readAllBytes(), file.getKey());
      }
      assertTrue(fixture.store().delete(id));
    }
  }

  @Test
  void readsGzipFileOfSeveralMembers() throws Exception {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    int at = 0;
    for (int length = 1; at < FILE.length; length = Math.min(length * 3, FILE.length - at)) {
      parts.write(gzip(Arrays.copyOfRange(FILE, at, at + length)));
      at += length;
    }
    // One byte per read, like a slow connection: member boundaries occur at every buffer position.
    InputStream slow = new OneByteStream(parts.toByteArray());
    SaveResult saved = fixture.intake().accept(slow, request(parts.size()));
    assertEquals(TestUploads.sha256(FILE), saved.snapshot().sha256());
  }

  @Test
  void readsFileBetweenEmptyMembers() throws Exception {
    for (byte[] empty : List.of(gzip(new byte[0]), Zstd.compress(new byte[0]), skippableFrame())) {
      byte[] whole = empty[0] == 0x1F ? gzip(FILE) : Zstd.compress(FILE);
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      for (int i = 0; i < 10_000; i++) {
        file.write(empty);
      }
      FormatException onlyEmpty =
          assertThrows(FormatException.class, () -> accept(file.toByteArray()));
      assertTrue(onlyEmpty.what().contains("the file is empty"), onlyEmpty.toString());
      file.write(whole);
      for (int i = 0; i < 10_000; i++) {
        file.write(empty);
      }
      SaveResult saved = accept(file.toByteArray());
      assertEquals(TestUploads.sha256(FILE), saved.snapshot().sha256());
      assertTrue(fixture.store().delete(saved.snapshot().id()));
    }
  }

  @Test
  void rejectsDataAfterTheCompressedFile() {
    byte[] garbage = new byte[100_000];
    new SplittableRandom(1).nextBytes(garbage);
    garbage[0] = 'x';
    byte[] zip = zip(Map.of("a", FILE));
    Map<String, byte[]> files =
        Map.of(
            "gzip", joined(gzip(FILE), garbage),
            "gzip, padded", joined(gzip(FILE), new byte[512], garbage),
            "zstd", joined(Zstd.compress(FILE), garbage),
            "zip", joined(zip, garbage),
            "two zips", joined(zip, zip(Map.of("b", FILE))));
    files.forEach(
        (name, file) -> {
          FormatException rejected = assertThrows(FormatException.class, () -> accept(file), name);
          assertEquals(Reason.MALFORMED, rejected.reason(), name);
          assertFalse(rejected.where().isEmpty(), name);
        });
    FormatException rejected =
        assertThrows(FormatException.class, () -> accept(joined(gzip(FILE), garbage)));
    assertTrue(rejected.where().contains("byte " + gzip(FILE).length + " of"), rejected.toString());
    assertNothingStored();
  }

  @Test
  void readsPaddedGzipFile() throws Exception {
    SaveResult saved = accept(joined(gzip(FILE), new byte[1_000]));
    assertEquals(TestUploads.sha256(FILE), saved.snapshot().sha256());
  }

  @Test
  void rejectsZipWithoutItsDirectory() {
    byte[] zip = zip(Map.of("a", FILE));
    FormatException rejected =
        assertThrows(FormatException.class, () -> accept(Arrays.copyOf(zip, zip.length - 30)));
    assertEquals(Reason.TRUNCATED, rejected.reason());
    assertNothingStored();
  }

  @Test
  void secondUploadKeepsNameAndTagsOrAddsTagsIfAsked() throws Exception {
    Tags first = new Tags("llama", "0", null, 1L, List.of("a"));
    Tags second = new Tags("other", "1", "n7", null, List.of("b", "a"));
    byte[] file = FILE;
    accept(file, first);
    SaveResult kept = accept(file, second);
    assertTrue(kept.existed());
    assertEquals(first, kept.snapshot().tags());
    SaveResult added =
        fixture
            .intake()
            .accept(
                new ByteArrayInputStream(file),
                new UploadRequest("b.json", second, DuplicateTags.ADD, file.length));
    assertEquals(new Tags("llama", "0", "n7", 1L, List.of("a", "b")), added.snapshot().tags());
    assertEquals("a.json", added.snapshot().name());
    assertEquals(
        added.snapshot().tags(), fixture.store().get(added.snapshot().id()).orElseThrow().tags());
  }

  @Test
  void concurrentUploadsOfSameFileAreStoredOnce() throws Exception {
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
  void interruptedUploadStoresNothing() {
    for (byte[] whole : List.of(FILE, gzip(FILE), Zstd.compress(FILE), zip(Map.of("a", FILE)))) {
      for (int length : new int[] {0, 1, 3, 100, whole.length / 2, whole.length - 1}) {
        byte[] part = Arrays.copyOf(whole, length);
        UploadInterruptedException interrupted =
            assertThrows(
                UploadInterruptedException.class,
                () ->
                    fixture.intake().accept(new ByteArrayInputStream(part), request(whole.length)));
        assertEquals(length, interrupted.receivedBytes());
        assertEquals(whole.length, interrupted.declaredBytes());
      }
    }
    assertNothingStored();
  }

  @Test
  void brokenConnectionIsNotMalformedFile() {
    byte[] compressed = gzip(FILE);
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(compressed, 0, compressed.length / 2), new BrokenConnection());
    UploadInterruptedException interrupted =
        assertThrows(
            UploadInterruptedException.class, () -> fixture.intake().accept(broken, request(-1)));
    assertEquals(compressed.length / 2, interrupted.receivedBytes());
    assertNothingStored();
  }

  @Test
  void rejectsTruncatedCompressedFile() {
    for (byte[] whole : List.of(gzip(FILE), Zstd.compress(FILE), zip(Map.of("a", FILE)))) {
      byte[] half = Arrays.copyOf(whole, whole.length / 2);
      FormatException rejected = assertThrows(FormatException.class, () -> accept(half));
      assertTrue(
          rejected.reason() == Reason.TRUNCATED || rejected.reason() == Reason.MALFORMED,
          rejected.toString());
    }
    assertNothingStored();
  }

  @Test
  void rejectsFileCompressedTwice() {
    for (byte[] twice :
        List.of(
            gzip(gzip(FILE)),
            Zstd.compress(gzip(FILE)),
            gzip(Zstd.compress(FILE)),
            zip(Map.of("a", gzip(FILE))))) {
      FormatException rejected = assertThrows(FormatException.class, () -> accept(twice));
      assertTrue(rejected.what().contains("compressed twice"), rejected.what());
    }
    assertNothingStored();
  }

  @Test
  void zipMustContainExactlyOneFile() throws Exception {
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
  void enforcesLimits() throws Exception {
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
    FormatException expanded =
        assertThrows(
            FormatException.class, () -> accept(gzip(JsonSnapshots.file(3, 20_000, 1000))));
    assertTrue(expanded.next().contains("vramscope.limits.max-uncompressed"), expanded.toString());
    assertNothingStored();
    assertEquals(500, accept(FILE).snapshot().eventCount());
  }

  @Test
  void rejectsUploadsAboveConcurrencyLimit() throws Exception {
    fixture.close();
    try (var store = new StoreFixture(folder)) {
      Intake none =
          new Intake(
              store.spool(),
              store.store(),
              new HeapBudget(1 << 30),
              IntakeFixture.LIMITS,
              new IntakeSettings(0, 192, 60),
              new HeavyWork(1, Duration.ofMinutes(1)),
              _ -> {});
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
        .accept(
            new ByteArrayInputStream(body),
            new UploadRequest("a.json", tags, DuplicateTags.KEEP, body.length));
  }

  private static UploadRequest request(long declaredLength) {
    return new UploadRequest("a\r\nb\u001b[31m", Tags.NONE, DuplicateTags.KEEP, declaredLength);
  }

  private void assertNothingStored() {
    assertEquals(0, fixture.store().count(SnapshotFilter.newest(0)));
  }

  private static byte[] skippableFrame() {
    return new byte[] {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3};
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      whole.writeBytes(part);
    }
    return whole.toByteArray();
  }

  private static byte[] gzip(byte[] file) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(file);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return compressed.toByteArray();
  }

  private static byte[] zip(Map<String, byte[]> files) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(compressed)) {
      out.putNextEntry(new ZipEntry("dir/"));
      for (Map.Entry<String, byte[]> file : new TreeMap<>(files).entrySet()) {
        out.putNextEntry(new ZipEntry(file.getKey()));
        out.write(file.getValue());
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return compressed.toByteArray();
  }

  /** Throws the exception of a servlet container whose client has disconnected. */
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

  /** Returns one byte per read. */
  private static final class OneByteStream extends ByteArrayInputStream {
    OneByteStream(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      return super.read(bytes, offset, Math.min(length, 1));
    }
  }
}
