package dev.vramscope.intake;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configuration properties, and the share of the heap for reading files. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({IntakeLimits.class, IntakeSettings.class})
class IntakeConfiguration {
  @Bean
  static AnalysisLimit analysisLimit() {
    return AnalysisLimit.ofThisHeap();
  }

  @Bean
  static HeapBudget heapBudget(IntakeSettings settings) {
    return new HeapBudget(Runtime.getRuntime().maxMemory() / 100 * settings.heapPercent());
  }
}
