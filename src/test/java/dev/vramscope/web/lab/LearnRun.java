package dev.vramscope.web.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.live.lab.Experiment;
import dev.vramscope.live.lab.Operation;
import dev.vramscope.live.lab.Reason;
import dev.vramscope.live.lab.Script;
import dev.vramscope.live.lab.Step;
import dev.vramscope.model.ByteSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * The picture of an idea on one side, compared with what its text says: each size is looked up in
 * the text and in the allocator's numbers after an operation of the script.
 */
final class LearnRun {
  private final String text;
  private final List<Operation> operations;
  private final List<Step> steps;

  private LearnRun(String text, List<Operation> operations, List<Step> steps) {
    this.text = text;
    this.operations = operations;
    this.steps = steps;
  }

  static LearnRun of(String id, int side) {
    LearnTopic topic = LearnTopics.find(id).orElseThrow();
    Script script = Script.parse(topic.script());
    List<Step> steps =
        Experiment.run(topic.sides().get(side).setup(side), script, 0, Experiment.MAX_STEPS);
    return new LearnRun(text(id), script.operations(), steps.subList(1, steps.size()));
  }

  /** The words of an idea's page, without markup. */
  static String text(String id) {
    try {
      return Files.readString(Path.of("src/main/resources/templates/learn/" + id + ".html"))
          .replaceAll("<[^>]*>", "")
          .replaceAll("\\s+", " ");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  List<Step> steps() {
    return steps;
  }

  /** The operations that failed, such as {@code malloc 4}. */
  List<String> failures() {
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).isFailed()) {
        failures.add(firstWords(operations.get(i)));
      }
    }
    return failures;
  }

  /** The step of an operation, such as {@code malloc 4}; the first one that begins so. */
  Step step(String operation) {
    for (int i = 0; i < steps.size(); i++) {
      if (firstWords(operations.get(i)).equals(operation)) {
        return steps.get(i);
      }
    }
    throw new IllegalArgumentException("no operation " + operation);
  }

  /** The text contains a size, and a number of the step is that size. */
  LearnRun says(String size, String operation, ToLongFunction<Step> number) {
    assertThat(text).containsPattern("(?<![0-9.,])" + Pattern.quote(size));
    assertThat(number.applyAsLong(step(operation))).as(operation).isEqualTo(ByteSize.parse(size));
    return this;
  }

  List<Reason.Kind> kinds(String operation) {
    return step(operation).reasons().stream().map(Reason::kind).toList();
  }

  /** What a step says about itself, in one text. */
  String reasons(String operation) {
    return String.join(" ", step(operation).reasons().stream().map(Reason::text).toList());
  }

  static long allocated(Step step) {
    return step.totals().allocated().allocatedBytes();
  }

  static long active(Step step) {
    return step.totals().allocated().activeBytes();
  }

  static long reserved(Step step) {
    return step.totals().allocated().reservedBytes();
  }

  static long free(Step step) {
    return step.totals().freeBytes();
  }

  static long largestFree(Step step) {
    return step.totals().largestFreeBytes();
  }

  static long deviceFree(Step step) {
    return step.totals().deviceFreeBytes();
  }

  static long deviceUsed(Step step) {
    return step.totals().deviceBytes() - step.totals().deviceFreeBytes();
  }

  /** Allocated, but not requested. */
  static long lost(Step step) {
    return step.totals().allocated().activeBytes() - step.totals().allocated().requestedBytes();
  }

  private static String firstWords(Operation operation) {
    String[] words = operation.text().split(" ", -1);
    return words.length == 1 || operation instanceof Operation.Label
        ? operation.text()
        : words[0] + " " + words[1];
  }
}
