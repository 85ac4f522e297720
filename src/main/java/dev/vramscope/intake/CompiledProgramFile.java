package dev.vramscope.intake;

import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.hlo.CompiledTextReader;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The texts of a compiled program, as they are uploaded and stored. */
public record CompiledProgramFile(CompiledFile file) {
  /** Reads an uncompressed text; see {@link CompiledTextReader}. */
  static CompiledProgramFile read(InputStream text, ReadLimits limits)
      throws IOException, FormatException {
    return new CompiledProgramFile(CompiledTextReader.read(text, limits));
  }

  /**
   * Reads a stored original.
   *
   * @throws FormatException if it is damaged
   */
  public static CompiledFile readStored(InputStream text) throws IOException, FormatException {
    return CompiledTextReader.read(text, ReadLimits.defaults());
  }

  /** Whether a file that begins with these bytes is one. */
  static boolean isOne(byte[] head) {
    return FormatSniffer.isText(head)
        && CompiledTextReader.isOne(
            new String(head, StandardCharsets.ISO_8859_1).replaceFirst("^\u00EF\u00BB\u00BF", ""));
  }

  /**
   * Whether a file is one of those of a compiled program, which are kept together. The stream is
   * read.
   */
  public static boolean isOne(InputStream file) throws IOException {
    return isOne(file.readNBytes(FormatSniffer.HEAD));
  }

  /** The line before a file that is joined with others, in bytes. */
  public static byte[] separator(String name) {
    return CompiledTextReader.separator(name).getBytes(StandardCharsets.UTF_8);
  }

  /** What the store keeps of it beside the text. */
  Snapshot asSnapshot() {
    List<Finding> findings =
        Stream.concat(
                file.findings().stream(),
                file.programs().stream().map(each -> each.findings()).flatMap(Collection::stream))
            .toList();
    String platform = file.platform();
    return Snapshot.ofCompiled("XLA" + (platform.isEmpty() ? "" : " (" + platform + ")"), findings);
  }
}
