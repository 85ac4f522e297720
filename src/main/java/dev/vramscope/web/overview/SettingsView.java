package dev.vramscope.web.overview;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.web.display.DisplayFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The recorded settings, without the size classes of a rounding rule that are 0. The names and
 * values of a file that PyTorch did not write may be long and many: the first are shown.
 *
 * @param hiddenCount the settings that are left out because there are too many
 */
record SettingsView(Map<String, String> shown, int hiddenCount) {
  private static final int MAX_SETTINGS = 200;
  private static final int MAX_SETTING = 300;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  static SettingsView of(AllocatorSettings settings) {
    Map<String, String> shown = new LinkedHashMap<>();
    settings.values().entrySet().stream()
        .filter(each -> !each.getKey().contains(".") || !each.getValue().equals("0"))
        .limit(MAX_SETTINGS)
        .forEach(
            each ->
                shown.put(
                    FORMAT.elided(each.getKey(), MAX_SETTING),
                    FORMAT.elided(each.getValue(), MAX_SETTING)));
    int count = settings.values().size();
    return new SettingsView(shown, count <= MAX_SETTINGS ? 0 : count - shown.size());
  }
}
