package dev.vramscope.web.uploads;

import dev.vramscope.format.FormatException;
import dev.vramscope.intake.DuplicateTags;
import dev.vramscope.intake.Intake;
import dev.vramscope.intake.UploadRequest;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/** The bundled sample snapshots; opening one uploads it through {@link Intake}. */
@Component
final class Samples {
  /** A sample: its name in URLs, its title and a description. */
  record Sample(String name, String title, String description) {
    String file() {
      return name + ".pickle.gz";
    }
  }

  private static final List<Sample> ALL =
      List.of(
          new Sample(
              "out-of-memory-fragmented",
              "Out of memory: fragmentation",
              "On a 24 GiB device, a request for 0.75 GiB fails while 3.8 GiB is cached: every free"
                  + " block is too small."),
          new Sample(
              "out-of-memory-expandable",
              "The same job with expandable segments",
              "The same program and device with expandable_segments:True: almost no fragmentation,"
                  + " and it completes two more steps."),
          new Sample(
              "healthy-training-run",
              "A run that fits",
              "A training loop on the same device: its peak, the code that holds it, and the size"
                  + " of the unused cache."));

  private final Intake intake;

  Samples(Intake intake) {
    this.intake = intake;
  }

  List<Sample> all() {
    return ALL;
  }

  /** Stores a sample, unless it is already stored. */
  SaveResult open(String name) throws IOException, FormatException {
    Sample sample =
        ALL.stream()
            .filter(candidate -> candidate.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    RefusedRequestException.notFound(
                        "There is no sample " + name,
                        "/samples/" + name,
                        "There are "
                            + String.join(", ", ALL.stream().map(Sample::name).toList())
                            + "."));
    ClassPathResource file = new ClassPathResource("samples/" + sample.file());
    try (InputStream stream = file.getInputStream()) {
      return intake.accept(
          stream,
          new UploadRequest(
              sample.title(),
              new Tags(null, null, null, null, List.of("sample")),
              DuplicateTags.KEEP,
              file.contentLength()));
    }
  }
}
