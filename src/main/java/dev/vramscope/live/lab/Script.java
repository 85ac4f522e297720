package dev.vramscope.live.lab;

import dev.vramscope.device.Streams;
import dev.vramscope.model.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The operations of an experiment, one per line. Sizes may have units ({@code 64MiB}); a line that
 * begins with {@code #} names what follows.
 */
public record Script(List<Operation> operations) {
  /** The most operations of a script. */
  public static final int MAX_OPERATIONS = 20_000;

  /** The most characters of a script: operations are short. */
  public static final int MAX_CHARACTERS = 2_000_000;

  private static final int MAX_LABEL = 200;

  /** The highest number of a stream. */
  public static final int MAX_STREAM = 7;

  /** The syntax, one operation per line. */
  public static final String SYNTAX =
      """
      malloc ID BYTES STREAM
      free ID
      record_stream ID STREAM
      launch ID STREAM
      finish STREAM
      sync STREAM
      sync_all
      empty_cache
      external BYTES
      set_fraction FRACTION
      # TEXT
      """;

  public static final Script EMPTY = new Script(List.of());

  public Script {
    operations = List.copyOf(operations);
  }

  /**
   * Reads a script; empty lines are skipped.
   *
   * @throws ScriptException naming the first line that cannot be read, or the limit
   */
  public static Script parse(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw tooLong();
    }
    List<Operation> operations = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!line.isBlank()) {
        if (operations.size() == MAX_OPERATIONS) {
          throw tooLong();
        }
        operations.add(operation(line.strip(), number));
      }
    }
    return new Script(operations);
  }

  /** The lines. */
  public String text() {
    return operations.stream().map(Operation::text).collect(Collectors.joining("\n"));
  }

  private static ScriptException tooLong() {
    return new ScriptException(
        String.format(Locale.ROOT, "The script has more than %,d operations", MAX_OPERATIONS),
        "script",
        "Shorten it; longer traces run with the command 'replay'.");
  }

  private static Operation operation(String line, int number) {
    if (line.startsWith("#")) {
      String label = line.substring(1).strip();
      return new Operation.Label(
          label.length() > MAX_LABEL ? label.substring(0, MAX_LABEL) : label);
    }
    Words words = new Words(line.split("\\s+"), number);
    Operation operation =
        switch (words.text(0)) {
          case "malloc" ->
              new Operation.Allocate(words.id(1), words.bytes(2), words.streamOrDefault(3));
          case "free" -> new Operation.Free(words.id(1));
          case "record_stream" -> new Operation.RecordStream(words.id(1), words.stream(2));
          case "launch" -> new Operation.Launch(words.id(1), words.stream(2));
          case "finish" -> new Operation.Finish(words.stream(1));
          case "sync" -> new Operation.Synchronize(words.stream(1));
          case "sync_all" -> new Operation.SynchronizeAll();
          case "empty_cache" -> new Operation.EmptyCache();
          case "external" -> new Operation.External(words.bytesOrNone(1));
          case "set_fraction" -> new Operation.SetFraction(words.fraction(1));
          default -> throw words.bad("There is no operation '" + shortened(words.text(0)) + "'");
        };
    words.requireEnd();
    return operation;
  }

  private static String shortened(String word) {
    return word.length() > 40 ? word.substring(0, 40) + "…" : word;
  }

  /** The words of a line. */
  private static final class Words {
    private final String[] words;
    private final int line;
    private int read = 1;

    private Words(String[] words, int line) {
      this.words = words;
      this.line = line;
    }

    private String text(int index) {
      if (index >= words.length) {
        throw bad("'" + shortened(words[0]) + "' needs more words");
      }
      read = Math.max(read, index + 1);
      return words[index];
    }

    private long id(int index) {
      return number(index, "a block's number", Long.MAX_VALUE);
    }

    private int stream(int index) {
      return (int) number(index, "a stream from 0 to " + MAX_STREAM, MAX_STREAM);
    }

    private int streamOrDefault(int index) {
      return index < words.length ? stream(index) : Streams.DEFAULT;
    }

    private long number(int index, String what, long max) {
      String word = text(index);
      if (word.matches("[0-9]{1,18}") && Long.parseLong(word) <= max) {
        return Long.parseLong(word);
      }
      throw bad("'" + shortened(word) + "' is not " + what);
    }

    private long bytesOrNone(int index) {
      return text(index).equals("0") ? 0 : bytes(index);
    }

    private long bytes(int index) {
      try {
        return ByteSize.parse(text(index));
      } catch (IllegalArgumentException notASize) {
        throw bad(String.valueOf(notASize.getMessage()));
      }
    }

    private double fraction(int index) {
      String word = text(index);
      if (word.matches("(?:0?\\.[0-9]{1,9}|[01](?:\\.0{1,9})?)")) {
        return Double.parseDouble(word);
      }
      throw bad("'" + shortened(word) + "' is not a number from 0 to 1");
    }

    private void requireEnd() {
      if (read < words.length) {
        throw bad("'" + shortened(words[read]) + "' is one word too many");
      }
    }

    private ScriptException bad(String what) {
      String syntax =
          SYNTAX
              .lines()
              .filter(each -> each.split(" ", 2)[0].equals(words[0]))
              .findFirst()
              .map(each -> "Write: " + each + ".")
              .orElseGet(
                  () ->
                      "Operations: "
                          + SYNTAX
                              .lines()
                              .map(each -> each.split(" ", 2)[0])
                              .collect(Collectors.joining(" "))
                          + ".");
      return new ScriptException(what, "line " + line, syntax);
    }
  }
}
