package dev.vramscope.whatif.replays;

import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Variant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One set of settings to replay a recording under.
 *
 * @param name the settings as the client gave them, or what a page calls them
 * @param variant allocator and settings
 */
public record WhatIfSettings(String name, Variant variant) {
  /** The name of the settings of the recording. */
  public static final String RECORDED = "recorded";

  private static final int MAX_LENGTH = 1000;
  private static final String PREALLOCATE = "XLA_PYTHON_CLIENT_PREALLOCATE";
  private static final String FRACTION = "XLA_CLIENT_MEM_FRACTION";

  /** The name in older releases; newer ones accept it, too, but not both. */
  private static final String OLD_FRACTION = "XLA_PYTHON_CLIENT_MEM_FRACTION";

  /** The part of the device that JAX uses unless it is told otherwise. */
  private static final String VARIABLE = "PYTORCH_CUDA_ALLOC_CONF=";

  private static final Pattern QUOTED = Pattern.compile("'([^']+)'");

  /**
   * Reads settings.
   *
   * @param where the member or field that they come from
   * @throws SettingsRefusedException if the allocator does not accept them
   */
  public static WhatIfSettings parse(
      AllocatorFamily allocator, String text, String recorded, String where) {
    if (text.length() > MAX_LENGTH) {
      throw new SettingsRefusedException(
          "The settings have " + text.length() + " characters",
          where,
          "Use at most " + MAX_LENGTH + ".");
    }
    return switch (allocator) {
      case CACHING -> caching(text, text.equals(RECORDED) ? recorded : text, where);
      case BFC -> bfc(text, where);
      case DIRECT -> direct(text, where);
      case UNRECORDED -> throw new IllegalArgumentException("nothing can be replayed with it");
    };
  }

  /** A settings line without the name of the variable, which people paste along with it. */
  public static String withoutVariable(String line) {
    String settings = line.startsWith("export ") ? line.substring("export ".length()) : line;
    return settings.startsWith(VARIABLE) ? settings.substring(VARIABLE.length()) : settings;
  }

  private static WhatIfSettings caching(String name, String settings, String where) {
    try {
      new Configuration().readInitial(settings, settings);
      CachingOptions.of(settings);
    } catch (ConfigurationException rejected) {
      throw new SettingsRefusedException(
          String.valueOf(rejected.getMessage()),
          where + position(settings, String.valueOf(rejected.getMessage())),
          "Use the syntax of PYTORCH_CUDA_ALLOC_CONF, such as"
              + " expandable_segments:True,max_split_size_mb:128; the message is PyTorch's.");
    }
    return new WhatIfSettings(name, new Variant.Caching(settings, EmptyCache.NEVER));
  }

  /** The position of the first text that the message quotes, if the settings contain it. */
  private static String position(String settings, String message) {
    Matcher quoted = QUOTED.matcher(message);
    while (quoted.find()) {
      int at = settings.indexOf(quoted.group(1));
      if (at >= 0) {
        return ", character " + (at + 1);
      }
    }
    return "";
  }

  private static WhatIfSettings bfc(String text, String where) {
    boolean preallocated = true;
    double fraction = BfcOptions.JAX_FRACTION;
    boolean isFractionSet = false;
    int at = 1;
    for (String part : text.equals(RECORDED) ? new String[0] : text.split(",")) {
      String place = where + ", character " + at;
      at += part.length() + 1;
      if (part.isBlank()) {
        continue;
      }
      int equals = part.indexOf('=');
      String key = (equals < 0 ? part : part.substring(0, equals)).strip();
      String value = equals < 0 ? "" : part.substring(equals + 1).strip();
      switch (key) {
        case PREALLOCATE -> preallocated = flag(value, place);
        case FRACTION, OLD_FRACTION -> {
          if (isFractionSet) {
            throw new SettingsRefusedException(
                "The fraction is set twice", place, "Set " + FRACTION + " once: JAX refuses both.");
          }
          isFractionSet = true;
          fraction = fraction(value, place);
        }
        default ->
            throw new SettingsRefusedException(
                "'" + key + "' is not a variable of the BFC allocator",
                place,
                "Use " + PREALLOCATE + "=false or " + FRACTION + "=0.9, separated by a comma.");
      }
    }
    return new WhatIfSettings(text, new Variant.Bfc(preallocated, fraction));
  }

  private static boolean flag(String value, String place) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default ->
          throw new SettingsRefusedException(
              PREALLOCATE + " is '" + value + "'", place, "Use true or false.");
    };
  }

  private static double fraction(String value, String place) {
    try {
      double fraction = Double.parseDouble(value);
      if (fraction > 0 && fraction <= 1) {
        return fraction;
      }
    } catch (NumberFormatException noNumber) {
      throw badFraction(value, place);
    }
    throw badFraction(value, place);
  }

  private static SettingsRefusedException badFraction(String value, String place) {
    return new SettingsRefusedException(
        FRACTION + " is '" + value + "'", place, "Use a number above 0, at most 1.");
  }

  private static WhatIfSettings direct(String text, String where) {
    if (!text.isBlank() && !text.equals(RECORDED)) {
      throw new SettingsRefusedException(
          "The driver without a cache has no settings", where, "Use an empty text.");
    }
    return new WhatIfSettings(text, new Variant.Direct());
  }

  /** The settings of a recording. */
  public static WhatIfSettings recorded(String line) {
    return new WhatIfSettings(RECORDED, new Variant.Caching(line));
  }

  /** Whether a client asked for the settings of the recording. */
  public boolean isRecorded() {
    return name.equals(RECORDED);
  }

  /** The line that sets these settings in a shell, or the call that the program needs. */
  public String line() {
    return switch (variant) {
      case Variant.Caching(String settings, EmptyCache when) ->
          when == EmptyCache.NEVER ? VARIABLE + settings : "torch.cuda.empty_cache()";
      case Variant.Bfc(boolean preallocated, double fraction) ->
          PREALLOCATE + "=" + preallocated + " " + FRACTION + "=" + fraction;
      case Variant.Direct _ -> "PYTORCH_NO_CUDA_MEMORY_CACHING=1";
    };
  }
}
