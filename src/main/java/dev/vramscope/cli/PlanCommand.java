package dev.vramscope.cli;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.cli.arguments.Arguments;
import dev.vramscope.cli.arguments.Command;
import dev.vramscope.cli.arguments.Description;
import dev.vramscope.cli.arguments.Nearest;
import dev.vramscope.cli.arguments.Option;
import dev.vramscope.cli.arguments.UsageException;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.intake.SnapshotFile;
import dev.vramscope.model.ByteSize;
import dev.vramscope.plan.ParameterValues;
import dev.vramscope.plan.Plan;
import dev.vramscope.plan.PlanAnswer;
import dev.vramscope.plan.PlanQuestion;
import dev.vramscope.plan.PlanRefusedException;
import dev.vramscope.plan.SizedRecording;
import dev.vramscope.report.PlanReport;
import dev.vramscope.report.Report;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.whatif.Variant;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What fits: from recordings at small sizes to the largest size that a device holds. */
public final class PlanCommand implements Command {
  private static final String RUN = "--run";
  private static final String DEVICE = "--device";
  private static final String OTHERS = "--others";
  private static final String SETTINGS = "--settings";
  private static final String AT = "--at";
  private static final String FIND = "--find";

  /** {@code batch=2,length=512=FILE}: all assignments of numbers, then the file. */
  private static final Pattern RUN_TEXT =
      Pattern.compile("((?:[^=,]+=\\d+)(?:,[^=,]+=\\d+)*)=(.+)");

  private static final Pattern VALUE_AND_FILE = Pattern.compile("(\\d{1,13})=(.+)");

  /** What is written before a file: the first value that is followed by another one or the file. */
  private static final Pattern WRITTEN_VALUE = Pattern.compile("([^=,]*)=.*");

  private static final Pattern WRITTEN_PAIR = Pattern.compile("[^=,]+=([^=,]*)[,=]");
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d[\\d.,_]*");
  private static final int SHOWN_TEXT = 80;

  /** Of a command nobody else waits for; it only ends what would never end. */
  private static final Duration LIMIT = Duration.ofHours(1);

  private static final String RECORDED = "recorded";

  private static final Description DESCRIPTION =
      new Description(
          "plan",
          "Says what fits: from recordings of a program at small sizes to the largest that a device"
              + " holds",
          "",
          "Record the same program at two or three small values of a parameter, from its start and"
              + " for at least three steps, and name the value of each file. With several"
              + " parameters:\n"
              + "  plan --run batch=2,length=512=a.pickle --run batch=3,length=512=b.pickle --run"
              + " batch=2,length=768=c.pickle --find batch --at length=1024 --device 24GiB",
          "plan --batch 2=a.pickle --batch 3=b.pickle --device 24GiB",
          List.of(
              Option.ofAnyName(
                  "--NAME", "VALUE=FILE", "A recording with this value of the parameter NAME"),
              Option.valued(
                  RUN, "NAME=VALUE,...=FILE", "A recording with several parameters; repeatable"),
              Option.valued(DEVICE, "SIZE", "The memory of a device, such as 24GiB; repeatable"),
              Option.valued(OTHERS, "SIZE", "The part of it that others use; 0 without it"),
              Option.valued(
                  SETTINGS,
                  "LINE",
                  "A PYTORCH_CUDA_ALLOC_CONF, or 'recorded', which is used without it; repeatable"),
              Option.valued(
                  AT, "NAME=VALUE,...", "Values that are asked; others than those that were run"),
              Option.valued(
                  FIND, "NAME", "The parameter whose largest value is searched, if several differ"),
              Option.flag("--markdown", "Writes Markdown instead of text"),
              Option.flag("--json", "Writes JSON"),
              Option.valued(
                  ReportOutput.HTML, "OUT", "Writes one HTML file with everything inside")));

  @Override
  public Description description() {
    return DESCRIPTION;
  }

  @Override
  public int run(Arguments arguments, PrintStream out) throws IOException {
    ReportOutput output = ReportOutput.of(arguments, "--html, --markdown and --json");
    List<Recorded> files = files(arguments);
    if (files.size() < 2) {
      throw new UsageException(
          "A plan needs at least two recordings, such as --batch 2=a.pickle --batch 3=b.pickle.",
          DESCRIPTION);
    }
    List<DeviceSize> sizes = sizes(arguments);
    Map<String, Long> at = askedValues(arguments);
    output.write(answer(arguments, files, sizes, at), out);
    return DONE;
  }

  private static Report answer(
      Arguments arguments, List<Recorded> files, List<DeviceSize> sizes, Map<String, Long> at)
      throws IOException {
    try {
      List<SizedRecording> recordings = new ArrayList<>();
      for (Recorded file : files) {
        recordings.add(file.read());
      }
      Progress progress = Progress.ofAll("plan", LIMIT, () -> {});
      Plan plan = Plan.of(recordings, progress);
      String find = find(arguments, plan, at);
      List<Variant.Caching> variants = new ArrayList<>();
      for (String line : arguments.values(SETTINGS)) {
        variants.add(
            line.equals(RECORDED)
                ? plan.recordedSettings(find, at)
                : new Variant.Caching(line.strip()));
      }
      return PlanReport.of(
          plan,
          PlanAnswer.of(
              plan,
              new PlanQuestion(find, at, sizes, variants),
              progress,
              Runtime.getRuntime().availableProcessors()));
    } catch (PlanRefusedException refused) {
      throw new IOException(refused.getMessage() + " " + refused.advice(), refused);
    } catch (ConfigurationException rejected) {
      throw new UsageException(SETTINGS + ": " + rejected.getMessage());
    } catch (ReplayLimitException tooLarge) {
      throw new IOException(tooLarge.getMessage(), tooLarge);
    }
  }

  /** A file and the values that it was recorded with. */
  private record Recorded(Path file, ParameterValues values) {
    SizedRecording read() throws IOException, PlanRefusedException {
      try {
        SnapshotFile content = SnapshotFile.read(file, ReadLimits.defaults());
        if (content.snapshot().isEmpty()) {
          throw content.notSnapshot().orElseThrow();
        }
        SnapshotInspection snapshot = SnapshotInspection.of(content.snapshot().get());
        return SizedRecording.of(String.valueOf(file.getFileName()), values, fullest(snapshot));
      } catch (FormatException rejected) {
        throw RejectedFile.of(file, rejected);
      }
    }

    private DeviceInspection fullest(SnapshotInspection snapshot) throws IOException {
      return SizedRecording.deviceOf(snapshot)
          .orElseThrow(() -> new IOException(file + " has no device."));
    }
  }

  private static List<Recorded> files(Arguments arguments) throws IOException {
    List<Recorded> files = new ArrayList<>();
    List<String> listed = DESCRIPTION.options().stream().map(Option::name).toList();
    for (Arguments.OptionValue each : arguments.optionValues()) {
      if (each.option().equals(RUN)) {
        Matcher run = RUN_TEXT.matcher(each.value());
        if (!run.matches()) {
          throw new UsageException(
              RUN
                  + " '"
                  + elided(each.value())
                  + "' is not NAME=VALUE,...=FILE, such as batch=2=a.pickle."
                  + wrongPair(each.value()));
        }
        files.add(new Recorded(InputFile.of(run.group(2)), values(RUN, run.group(1))));
      } else if (!listed.contains(each.option())) {
        Matcher value = VALUE_AND_FILE.matcher(each.value());
        if (!value.matches()) {
          throw new UsageException(noRecording(each, Nearest.question(each.option(), listed)));
        }
        files.add(
            new Recorded(
                InputFile.of(value.group(2)),
                values(each.option(), each.option().substring(2) + "=" + value.group(1))));
      }
    }
    return files;
  }

  private static String noRecording(Arguments.OptionValue option, String question) {
    Matcher written = WRITTEN_VALUE.matcher(option.value());
    String expected =
        " A recording is VALUE=FILE, such as --batch 2=a.pickle; a value is a whole number from 1"
            + " to "
            + ParameterValues.MOST
            + ".";
    if (NUMBER.matcher(option.value()).matches()) {
      return elided(option.option())
          + " '"
          + elided(option.value())
          + "' names no file: write "
          + elided(option.option())
          + " "
          + elided(option.value())
          + "=FILE."
          + question
          + expected;
    }
    if (!written.matches() && question.isEmpty()) {
      return elided(option.option())
          + " '"
          + elided(option.value())
          + "' is not VALUE=FILE: it has no value and no equals sign before a file."
          + expected;
    }
    if (!written.matches()) {
      return "There is no option "
          + elided(option.option())
          + "."
          + question
          + expected
          + " This is '"
          + elided(option.value())
          + "'.";
    }
    return elided(option.option())
        + " '"
        + elided(option.value())
        + "':"
        + wrong(written.group(1))
        + expected
        + question;
  }

  /** Names the first value of a run that is none; empty if there is no such value. */
  private static String wrongPair(String run) {
    Matcher pairs = WRITTEN_PAIR.matcher(run);
    while (pairs.find()) {
      if (!pairs.group(1).matches("\\d+")) {
        return wrong(pairs.group(1));
      }
    }
    return "";
  }

  private static String wrong(String value) {
    if (value.matches("\\d{1,13}")) {
      return " there is no file after " + value + "=.";
    }
    return " '"
        + elided(value)
        + "' is not a "
        + (NUMBER.matcher(value).matches() ? "value." : "number.");
  }

  private static String elided(String text) {
    return text.length() <= SHOWN_TEXT ? text : text.substring(0, SHOWN_TEXT) + "…";
  }

  private static ParameterValues values(String option, String text) {
    try {
      return ParameterValues.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new UsageException(option + ": " + wrong.getMessage());
    }
  }

  private static Map<String, Long> askedValues(Arguments arguments) {
    Map<String, Long> at = new LinkedHashMap<>();
    arguments.values(AT).forEach(text -> at.putAll(values(AT, text).byName()));
    return at;
  }

  private static List<DeviceSize> sizes(Arguments arguments) {
    long others =
        Optional.ofNullable(arguments.value(OTHERS)).map(text -> size(OTHERS, text)).orElse(0L);
    List<DeviceSize> sizes = new ArrayList<>();
    for (String text : arguments.values(DEVICE)) {
      long total = size(DEVICE, text);
      if (others >= total) {
        throw new UsageException(OTHERS + " must be less than " + DEVICE + " " + text);
      }
      sizes.add(DeviceSize.of(total, others));
    }
    return sizes;
  }

  private static long size(String option, String text) {
    try {
      return ByteSize.parse(text);
    } catch (IllegalArgumentException notASize) {
      throw new UsageException(option + ": " + notASize.getMessage());
    }
  }

  /** The named parameter, or else the only one that differs and is not asked for. */
  private static String find(Arguments arguments, Plan plan, Map<String, Long> at) {
    String named = arguments.value(FIND);
    if (named != null) {
      return named;
    }
    List<String> open = plan.varying().stream().filter(name -> !at.containsKey(name)).toList();
    if (open.size() > 1) {
      throw new UsageException(
          "Several parameters differ: "
              + String.join(", ", plan.varying())
              + ". Say which to search, such as "
              + FIND
              + " "
              + open.getFirst()
              + ", and give the others with "
              + AT
              + ".");
    }
    return open.isEmpty() ? plan.varying().getFirst() : open.getFirst();
  }
}
