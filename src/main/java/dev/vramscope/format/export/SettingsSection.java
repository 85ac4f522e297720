package dev.vramscope.format.export;

import dev.vramscope.model.AllocatorSettings;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * {@code allocator_settings}: the model keeps every value as text, PyTorch writes numbers, booleans
 * and dicts. A name with a dot is an entry of a dict; the environment's configuration stays text;
 * any other text becomes the value it spells.
 */
final class SettingsSection {
  private static final String CONFIGURATION_SUFFIX = "_ALLOC_CONF";
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,20}");
  private static final Pattern REAL =
      Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?");

  /** The order in which PyTorch writes them; others follow by name. */
  private static final List<String> FIRST =
      List.of(
          "PYTORCH_CUDA_ALLOC_CONF",
          "max_split_size",
          "garbage_collection_threshold",
          "expandable_segments",
          "pinned_num_register_threads",
          "release_lock_on_cudamalloc",
          "pinned_use_cuda_host_register",
          "graph_capture_record_stream_reuse");

  private static final Comparator<String> IN_TORCH_ORDER =
      Comparator.comparingInt(SettingsSection::place).thenComparing(Comparator.naturalOrder());

  /** So that the keys 1, 2, 4, … 32768 ascend. */
  private static final Comparator<String> SHORT_FIRST =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final PickleOutput pickle;

  SettingsSection(PickleOutput pickle) {
    this.pickle = pickle;
  }

  void write(AllocatorSettings settings) throws IOException {
    Map<String, String> values = new TreeMap<>(IN_TORCH_ORDER);
    Map<String, Map<String, String>> dicts = new TreeMap<>();
    settings
        .values()
        .forEach(
            (name, value) -> {
              int dot = name.indexOf('.');
              if (dot < 0) {
                values.put(name, value);
              } else {
                dicts
                    .computeIfAbsent(name.substring(0, dot), _ -> new TreeMap<>(SHORT_FIRST))
                    .put(name.substring(dot + 1), value);
              }
            });
    pickle.emptyDict();
    writeItems(values);
    if (!dicts.isEmpty()) {
      pickle.mark();
      for (Map.Entry<String, Map<String, String>> dict : dicts.entrySet()) {
        pickle.text(dict.getKey());
        pickle.emptyDict();
        writeItems(dict.getValue());
      }
      pickle.setItems();
    }
  }

  private void writeItems(Map<String, String> values) throws IOException {
    if (values.isEmpty()) {
      return;
    }
    pickle.mark();
    for (Map.Entry<String, String> entry : values.entrySet()) {
      pickle.text(entry.getKey());
      if (entry.getKey().endsWith(CONFIGURATION_SUFFIX)) {
        pickle.text(entry.getValue());
      } else {
        writeSpelled(entry.getValue());
      }
    }
    pickle.setItems();
  }

  private void writeSpelled(String value) throws IOException {
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      pickle.bool(Boolean.parseBoolean(value));
    } else if (WHOLE.matcher(value).matches() && fits(new BigInteger(value))) {
      writeWhole(new BigInteger(value));
    } else if (REAL.matcher(value).matches()) {
      pickle.real(Double.parseDouble(value));
    } else {
      pickle.text(value);
    }
  }

  /** Into 64 bits, signed or unsigned. */
  private static boolean fits(BigInteger value) {
    return value.bitLength() <= (value.signum() < 0 ? Long.SIZE - 1 : Long.SIZE);
  }

  private void writeWhole(BigInteger value) throws IOException {
    if (value.signum() < 0) {
      pickle.number(value.longValue());
    } else {
      pickle.unsigned(value.longValue());
    }
  }

  private static int place(String name) {
    int place = FIRST.indexOf(name);
    return place < 0 ? FIRST.size() : place;
  }
}
