package dev.vramscope.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings that {@code application.yml} of this jar contains, with their defaults and comments.
 * The file contains every setting below {@code vramscope}, so that it is their only list.
 *
 * <p>It is read line by line: a YAML parser would delay each start, and omit the comments.
 */
final class ServiceSettings {
  private static final String FILE = "/application.yml";
  private static final Pattern LINE = Pattern.compile("( *)([\\w-]+):(?: +([^#]*?))?(?: *# (.*))?");
  private static final Pattern COMMENT = Pattern.compile(" *# (.*)");
  private static final int INDENT = 2;

  /**
   * A setting.
   *
   * @param name the full name, such as {@code vramscope.data-dir}
   */
  record Setting(String name, String defaultValue, String description) {}

  private final Map<String, Setting> byCanonicalName;

  private ServiceSettings(Map<String, Setting> byCanonicalName) {
    this.byCanonicalName = byCanonicalName;
  }

  static ServiceSettings load() {
    try (InputStream file =
            Objects.requireNonNull(ServiceSettings.class.getResourceAsStream(FILE), FILE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      return read(lines.lines().toList());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static ServiceSettings read(List<String> lines) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    List<String> path = new ArrayList<>();
    List<String> comments = new ArrayList<>();
    for (String line : lines) {
      Matcher comment = COMMENT.matcher(line);
      Matcher key = LINE.matcher(line);
      if (comment.matches()) {
        comments.add(comment.group(1));
      } else if (key.matches()) {
        path.subList(Math.min(path.size(), key.group(1).length() / INDENT), path.size()).clear();
        path.add(key.group(2));
        String value = Optional.ofNullable(key.group(3)).orElse("").strip();
        if (key.group(4) != null) {
          comments.add(key.group(4));
        }
        String name = String.join(".", path);
        Setting setting = new Setting(name, unquoted(value), String.join(" ", comments));
        settings.put(canonical(name), setting);
        comments.clear();
      } else {
        comments.clear();
      }
    }
    // A line whose children follow is not a setting.
    settings
        .values()
        .removeIf(
            setting ->
                setting.defaultValue().isEmpty()
                    && settings.values().stream()
                        .anyMatch(other -> other.name().startsWith(setting.name() + ".")));
    return new ServiceSettings(settings);
  }

  /** The settings in the order of the file. */
  Collection<Setting> all() {
    return Collections.unmodifiableCollection(byCanonicalName.values());
  }

  /** The settings below a prefix such as {@code vramscope}. */
  List<Setting> below(String prefix) {
    return all().stream().filter(setting -> setting.name().startsWith(prefix + ".")).toList();
  }

  /**
   * Finds a setting by any form of its name that Spring binds: {@code vramscope.dataDir}, {@code
   * VRAMSCOPE_DATADIR}, {@code vramscope.host-names[0]}, {@code VRAMSCOPE_HOSTNAMES_0}.
   */
  Optional<Setting> find(String name) {
    return Optional.ofNullable(byCanonicalName.get(canonical(name)));
  }

  String defaultOf(String name) {
    return find(name).map(Setting::defaultValue).orElse("");
  }

  private static String canonical(String name) {
    return name.replaceAll("\\[\\d+]$|_\\d+$", "").replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
  }

  private static String unquoted(String value) {
    return value.replaceAll("^\"(.*)\"$", "$1");
  }
}
