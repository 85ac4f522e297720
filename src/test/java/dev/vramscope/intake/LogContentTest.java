package dev.vramscope.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.xla.XlaFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** Logs, compressed or not; what is no log is named. */
class LogContentTest {
  private static final byte[] LOG =
      "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
          .repeat(1000)
          .getBytes(StandardCharsets.UTF_8);

  private static String read(byte[] bytes) throws IOException, FormatException {
    try (Reader log = LogContent.open(new ByteArrayInputStream(bytes))) {
      return log.readAllAsString();
    } catch (RejectedContentException rejected) {
      throw rejected.formatException();
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  @Test
  void compressedLogsAreRead() throws IOException, FormatException {
    String expected = new String(LOG, StandardCharsets.UTF_8);
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(zip)) {
      out.putNextEntry(new ZipEntry("train.log"));
      out.write(LOG);
    }
    assertThat(read(LOG)).isEqualTo(expected);
    assertThat(read(gzip(LOG))).isEqualTo(expected);
    assertThat(read(Zstd.compress(LOG))).isEqualTo(expected);
    assertThat(read(zip.toByteArray())).isEqualTo(expected);
  }

  @Test
  void aCompressedLogThatEndsEarlyIsReadUpToThere() throws IOException, FormatException {
    byte[] whole = gzip(LOG);
    assertThat(read(Arrays.copyOf(whole, whole.length - 9))).startsWith("RuntimeError: CUDA");
  }

  @Test
  void aBombIsNotDecompressedFurtherThanTheLimit() throws IOException {
    byte[] bomb =
        gzip(("[[0, 1]" + ", [1, 2]".repeat(25_000_000)).getBytes(StandardCharsets.UTF_8));
    long start = System.nanoTime();
    assertThatThrownBy(() -> read(bomb))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("32 MiB");
    assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
    assertThatThrownBy(() -> read(gzip(new byte[200 << 20]))).isInstanceOf(FormatException.class);
  }

  /** JSON is one value: a part of it says nothing. */
  @Test
  void longJsonIsRefused() {
    byte[] timeline =
        ("[[0, 1]" + ", [1, 2]".repeat(5_000_000) + "]").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read(timeline))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("32 MiB");
  }

  @Test
  void otherFilesAreNamed() throws IOException {
    assertThatThrownBy(() -> read("BZh91AY&SY\1\2\3".getBytes(StandardCharsets.ISO_8859_1)))
        .hasMessageContaining("bzip2");
    assertThatThrownBy(
            () ->
                read(
                    "version https://git-lfs.github.com/spec/v1\n"
                        .getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("Git LFS pointer");
    assertThatThrownBy(
            () -> read(gzip(new XlaFiles.Profile().add("buffer", "gpu:0", 1, 8).bytes())))
        .hasMessageContaining("device memory profile of JAX");
    assertThatThrownBy(() -> read("{\"schemaVersion\": 1}".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("trace of torch.profiler");
    assertThatThrownBy(() -> read(gzip(gzip(LOG)))).hasMessageContaining("compressed twice");
  }
}
