package dev.vramscope.whatif.replays;

import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.caching.configuration.Configuration;
import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.pool.PoolSettings;
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

  /** What JAX calls the driver without a pool. */
  public static final String PLATFORM = "XLA_PYTHON_CLIENT_ALLOCATOR=platform";

  private static final PoolSettings JAX =
      PoolSettings.jax(/* preallocated= */ true, BfcOptions.JAX_FRACTION);

  private static final int MAX_LENGTH = 1000;
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
      case BFC -> PoolLine.parse(text, JAX, where);
      case DIRECT -> direct(text, where);
      case UNRECORDED -> throw new IllegalArgumentException("nothing can be replayed with it");
    };
  }

  /**
   * Reads settings for a recording of a BFC allocator: what a line does not set is as recorded.
   *
   * @throws SettingsRefusedException if the allocator does not accept them
   */
  public static WhatIfSettings parsePool(
      AllocatorFamily allocator, String text, PoolSettings recorded, String where) {
    return allocator.isBfc() && text.length() <= MAX_LENGTH
        ? PoolLine.parse(text, recorded, where)
        : parse(allocator, text, "", where);
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

  /** The settings of a BFC allocator's recording. */
  public static WhatIfSettings recorded(PoolSettings pool) {
    return new WhatIfSettings(RECORDED, new Variant.Bfc(pool));
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
      case Variant.Bfc bfc -> bfc.pool().line();
      case Variant.Direct _ -> name.equals(PLATFORM) ? name : "PYTORCH_NO_CUDA_MEMORY_CACHING=1";
    };
  }
}
