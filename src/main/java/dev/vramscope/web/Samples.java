package dev.vramscope.web;

import dev.vramscope.format.FormatException;
import dev.vramscope.intake.Intake;
import dev.vramscope.intake.UploadRequest;
import dev.vramscope.store.SaveResult;
import dev.vramscope.store.Tags;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/** The snapshots that come with the program; one goes in by the same door as any other. */
@Component
final class Samples {
  /** One of them: its name in addresses, and what it shows. */
  record Sample(String name, String title, String shows) {
    String file() {
      return name + ".pickle.gz";
    }
  }

  private static final List<Sample> ALL =
      List.of(
          new Sample(
              "out-of-memory-in-pieces",
              "Out of memory, in pieces",
              "A 24 GiB card refuses 0.75 GiB while 3.8 GiB lies free in the cache, in pieces that"
                  + " are all too small."),
          new Sample(
              "out-of-memory-expandable",
              "The same job, expandable segments",
              "The same program and card with expandable_segments:True: hardly any pieces, and it"
                  + " lives two steps longer."),
          new Sample(
              "healthy-training-run",
              "A run that fits",
              "A training loop on the same card: where its peak is, who holds it, and how much of"
                  + " the cache is idle."));

  private final Intake intake;

  Samples(Intake intake) {
    this.intake = intake;
  }

  List<Sample> all() {
    return ALL;
  }

  /** Stores a sample, or finds it stored. */
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
              file.contentLength()));
    }
  }
}
