package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SettingsLineTest {
  @Test
  void appendsASetting() {
    assertThat(SettingsLine.with("", "expandable_segments:True"))
        .isEqualTo("expandable_segments:True");
    assertThat(SettingsLine.with("per_process_memory_fraction:0.5", "max_split_size_mb:128"))
        .isEqualTo("per_process_memory_fraction:0.5,max_split_size_mb:128");
  }

  @Test
  void replacesTheValueOfAKey() {
    assertThat(SettingsLine.with("max_split_size_mb:64, backend:native", "max_split_size_mb:128"))
        .isEqualTo("backend:native,max_split_size_mb:128");
  }

  @Test
  void commasInListsSeparateValues() {
    assertThat(
            SettingsLine.with(
                "roundup_power2_divisions:[256:1,512:2,>:8],max_split_size_mb:64",
                "expandable_segments:True"))
        .isEqualTo(
            "roundup_power2_divisions:[256:1,512:2,>:8],max_split_size_mb:64,expandable_segments:True");
    assertThat(
            SettingsLine.with("roundup_power2_divisions:[256:1,>:8]", "roundup_power2_divisions:8"))
        .isEqualTo("roundup_power2_divisions:8");
  }
}
