package dev.vramscope.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

class ServiceSettingsTest {
  @Test
  void fileContainsExactlyTheSettingsOfTheService() {
    Set<String> bound = new TreeSet<>();
    ClassPathScanningCandidateComponentProvider scanner =
        new ClassPathScanningCandidateComponentProvider(/* useDefaultFilters= */ false);
    scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
    scanner
        .findCandidateComponents("dev.vramscope")
        .forEach(found -> bound.addAll(namesOf(Objects.requireNonNull(found.getBeanClassName()))));

    assertThat(bound).contains("vramscope.data-dir", "vramscope.live.max-allocators");
    assertThat(ServiceSettings.load().below("vramscope"))
        .extracting(ServiceSettings.Setting::name)
        .containsExactlyInAnyOrderElementsOf(bound);
  }

  private static List<String> namesOf(String settingsClass) {
    Class<?> type = ClassUtils.resolveClassName(settingsClass, null);
    String prefix = type.getAnnotation(ConfigurationProperties.class).value();
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .map(name -> prefix + "." + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
        .toList();
  }

  @Test
  void readsDefaultsAndComments() {
    ServiceSettings settings =
        ServiceSettings.read(
            List.of(
                "spring:",
                "  application:",
                "    version: \"1.0\"",
                "vramscope:",
                "  # The first line",
                "  # and the second.",
                "  data-dir: ./data",
                "  token: # secret",
                "  limits:",
                "    max-ratio: 1000 # bytes"));

    assertThat(settings.defaultOf("spring.application.version")).isEqualTo("1.0");
    assertThat(settings.below("vramscope"))
        .containsExactly(
            new ServiceSettings.Setting(
                "vramscope.data-dir", "./data", "The first line and the second."),
            new ServiceSettings.Setting("vramscope.token", "", "secret"),
            new ServiceSettings.Setting("vramscope.limits.max-ratio", "1000", "bytes"));
  }
}
