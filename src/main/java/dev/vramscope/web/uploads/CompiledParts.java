package dev.vramscope.web.uploads;

import dev.vramscope.intake.CompiledProgramFile;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The files of a request that are texts of a compiled program: they are kept as one. */
final class CompiledParts {
  private CompiledParts() {}

  /** Those that are such texts, if there are several. */
  static List<Part> of(List<Part> files) throws IOException {
    List<Part> compiled = new ArrayList<>();
    for (Part file : files) {
      try (InputStream stream = file.getInputStream()) {
        if (CompiledProgramFile.isOne(stream)) {
          compiled.add(file);
        }
      }
    }
    return compiled.size() > 1 ? compiled : List.of();
  }

  /** Their texts, each after its name. */
  static InputStream joined(List<Part> files) throws IOException {
    List<InputStream> streams = new ArrayList<>();
    for (Part file : files) {
      String name = UploadFileName.ofPath(file.getSubmittedFileName());
      streams.add(
          new ByteArrayInputStream(CompiledProgramFile.separator(name == null ? "text" : name)));
      streams.add(file.getInputStream());
      streams.add(new ByteArrayInputStream(new byte[] {'\n'}));
    }
    return new SequenceInputStream(Collections.enumeration(streams));
  }
}
