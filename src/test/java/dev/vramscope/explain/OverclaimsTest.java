package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Texts that look like something else than they are. */
class OverclaimsTest {
  private static final String OOM =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total"
          + " capacity of 23.65 GiB of which 120.00 MiB is free. Including non-PyTorch memory, this"
          + " process has 23.53 GiB memory in use. Of the allocated memory 22.90 GiB is allocated"
          + " by PyTorch, and 150.00 MiB is reserved by PyTorch but unallocated.\n";

  private static String said(String text) {
    LogExplanation explanation = LogExplanation.of(text);
    return explanation.summary()
        + "\n"
        + explanation.conclusions().stream()
            .flatMap(
                conclusion ->
                    java.util.stream.Stream.concat(
                        conclusion.statements().stream().map(Statement::text),
                        conclusion.remedies().stream().map(Advice::text)))
            .collect(Collectors.joining("\n"));
  }

  private static String traceback(String... frames) {
    return "Traceback (most recent call last):\n" + String.join("", frames) + OOM;
  }

  private static String frame(String file, String name, String source) {
    return "  File \"%s\", line 44, in %s\n    %s\n".formatted(file, name, source);
  }

  @Test
  void partsThatAModelJoinsAreNoResults() {
    assertThat(
            said(
                traceback(
                    frame("/w/run.py", "main", "loss = criterion(net(x), y)"),
                    frame("/w/unet.py", "forward", "x = torch.cat([features, skip], dim=1)"))))
        .doesNotContain("joins results");
  }

  @Test
  void aTrainingIsNoInference() {
    assertThat(
            said(
                traceback(
                    frame("/w/train_text_to_image_lora.py", "main", "loss = unet(x)"),
                    frame("/v/diffusers/models/unets/unet_2d.py", "forward", "x = self.up(x)"))))
        .doesNotContain("lower resolution");
    assertThat(
            said(
                traceback(
                    frame("/w/vae.py", "main", "loss = model(x)"),
                    frame("/w/vae.py", "encode", "h = self.down(x)"))))
        .doesNotContain("fewer tokens");
  }

  @Test
  void whatGrowsWhileAModelIsLoadedIsNoLeak() {
    String loading =
        IntStream.range(1, 7)
            .mapToObj(i -> "loading shard %d: memory allocated %d.10 GiB\n".formatted(i, 4 * i))
            .collect(Collectors.joining());
    assertThat(said(loading + OOM)).doesNotContain("leak");
    String members =
        IntStream.range(1, 7)
            .mapToObj(i -> "training ensemble member " + i + "\n")
            .collect(Collectors.joining());
    assertThat(said(members + OOM)).doesNotContain("leak");
    String devices =
        IntStream.range(0, 6)
            .mapToObj(i -> "GPU %d: %d.1 GiB allocated\n".formatted(i, 4 + 2 * i))
            .collect(Collectors.joining());
    assertThat(said(devices + OOM)).doesNotContain("leak");
  }

  @Test
  void aFaultDoesNotHideALackOfMemoryOfALaterRun() {
    assertThat(
            LogExplanation.of(
                    """
                    RuntimeError: CUDA error: an illegal memory access was encountered
                    run 1 exited with 1; starting run 2
                    RuntimeError: CUDA error: out of memory
                    """)
                .isFailure())
        .isTrue();
  }

  @Test
  void aContainerThatWasNotKilledIsNoFailure() {
    assertThat(
            LogExplanation.of("\"OOMKilled\": false,\n\"ExitCode\": 0,\n").conclusions().stream()
                .anyMatch(Conclusion::isFailure))
        .isFalse();
  }

  @Test
  void aPodBelowItsRequestIsNotSaidToBeEvictedFirst() {
    assertThat(
            said(
                "The node was low on resource: memory. Threshold quantity: 100Mi, available:"
                    + " 87204Ki. Container train was using 12Gi, request is 64Gi, has larger"
                    + " consumption of memory.\n"))
        .doesNotContain("evicted first")
        .contains("no more than the 64 GiB");
  }

  @Test
  void aRangeOfTargetsIsNoIndex() {
    assertThat(
            said(
                "Loss.cu:95: operator(): block: [0,0,0], thread: [1,0,0] Assertion `target_val >="
                    + " zero && target_val <= one` failed.\n"))
        .doesNotContain("An index lies");
  }

  @Test
  void sharedMemoryIsFullOnlyIfTheTextSaysSo() {
    assertThat(
            said(
                "NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Ab12 (size"
                    + " 9637888), error: Permission denied (13)\n"))
        .doesNotContain("full")
        .doesNotContain("No space left");
  }

  @Test
  void unknownWordsOfALackAreQuoted() {
    assertThat(said("ValueError: Not enough VRAM left to place the model\n")).contains("VRAM");
  }

  @Test
  void aCaptureThatIsOverIsNone() {
    assertThat(
            said(
                "Capturing CUDA graph shapes: 100%|####| 35/35\nApplication startup complete.\n"
                    + OOM))
        .doesNotContain("graph was being captured");
  }

  @Test
  void longLinesWithoutWordsTakeNoTime() {
    String line = "mem" + "-".repeat(940) + "x 1\n";
    long begin = System.nanoTime();
    LogExplanation.of(line.repeat(5000) + OOM);
    assertThat(Duration.ofNanos(System.nanoTime() - begin).toMillis())
        .as(String.format(Locale.ROOT, "milliseconds for %,d characters", 5000 * line.length()))
        .isLessThan(20_000);
  }
}
