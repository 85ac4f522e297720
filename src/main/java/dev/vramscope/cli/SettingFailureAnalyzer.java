package dev.vramscope.cli;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** Reports a setting whose value cannot be converted: its name, its value, and where it is set. */
final class SettingFailureAnalyzer implements FailureAnalyzer {
  private static final Map<String, String> EXPECTED =
      Map.of(
          Integer.class.getName(), "a whole number",
          int.class.getName(), "a whole number",
          Long.class.getName(), "a whole number",
          long.class.getName(), "a whole number",
          Boolean.class.getName(), "true or false",
          boolean.class.getName(), "true or false",
          DataSize.class.getName(), "a size such as 512MB",
          Duration.class.getName(), "a duration such as 10s",
          InetAddress.class.getName(), "an IP address or a known host name");

  /** The message of Spring's conversion: the only place with the type of an early property. */
  private static final String TO_TYPE = "Failed to convert to type ";

  private static final String COMMAND_LINE = "commandLineArgs";
  private static final int MAX_CAUSES = 20;

  private final Environment environment;

  SettingFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    @Nullable Throwable cause = failure;
    FailureAnalysis analysis = null;
    // The innermost one names the property itself, the others an object that contains it.
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof BindException invalid && invalid.getProperty() != null) {
        analysis = analysis(invalid);
      } else if (cause instanceof InvalidConfigurationPropertyValueException invalid) {
        analysis = analysis(invalid);
      }
      cause = cause.getCause();
    }
    return analysis;
  }

  /** Whether a failure is that of a setting. */
  static boolean isCause(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof BindException
          || cause instanceof InvalidConfigurationPropertyValueException
          || PortFailureAnalyzer.isOutOfRange(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private FailureAnalysis analysis(BindException invalid) {
    ConfigurationProperty property = invalid.getProperty();
    Class<?> type = invalid.getTarget().getType().resolve(Object.class);
    return analysis(
        invalid.getName().toString(),
        property == null ? "" : String.valueOf(property.getValue()),
        type.getName(),
        invalid);
  }

  private FailureAnalysis analysis(InvalidConfigurationPropertyValueException invalid) {
    String reason = String.valueOf(invalid.getReason());
    return analysis(
        invalid.getName(),
        String.valueOf(invalid.getValue()),
        reason.startsWith(TO_TYPE) ? reason.substring(TO_TYPE.length()) : "",
        invalid);
  }

  private FailureAnalysis analysis(String name, String value, String type, Throwable cause) {
    String expected = EXPECTED.get(type);
    return new FailureAnalysis(
        "the setting "
            + name
            + (expected == null ? " does not accept '" + value + "'" : " is '" + value + "'")
            + place(name)
            + (expected == null ? "." : ", which is not " + expected + "."),
        "Change it or leave it out: 'help serve' lists the settings with their defaults.",
        cause);
  }

  /** Where the value is set, as a clause in parentheses. */
  private String place(String name) {
    ConfigurationPropertyName propertyName = ConfigurationPropertyName.of(name);
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty property = source.getConfigurationProperty(propertyName);
      if (property != null) {
        return Optional.ofNullable(property.getOrigin())
            .map(origin -> " (" + text(origin) + ")")
            .orElse("");
      }
    }
    return "";
  }

  private static String text(Origin origin) {
    if (origin instanceof PropertySourceOrigin source) {
      boolean isOption = source.getPropertySource().getName().equals(COMMAND_LINE);
      return isOption
          ? "option --" + source.getPropertyName()
          : "variable " + source.getPropertyName();
    }
    return origin.toString();
  }
}
