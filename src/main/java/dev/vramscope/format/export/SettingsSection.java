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
 * Writes {@code allocator_settings}. The model has every value as text; PyTorch writes numbers,
 * booleans and dicts. A name with a dot is an entry of a dict; the configuration from the
 * environment remains text; any other text that parses as a number or boolean is written as one.
 */
final class SettingsSection {
  private static final String CONFIGURATION_SUFFIX = "_ALLOC_CONF";
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,20}");
  private static final Pattern REAL =
      Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?");

  /** The settings in the order of PyTorch; others follow by name. */
  private static final List<String> KNOWN_ORDER =
      List.of(
          "PYTORCH_CUDA_ALLOC_CONF",
          "max_split_size",
          "garbage_collection_threshold",
          "expandable_segments",
          "pinned_num_register_threads",
          "release_lock_on_cudamalloc",
          "pinned_use_cuda_host_register",
          "graph_capture_record_stream_reuse");

  private static final Comparator<String> TORCH_ORDER =
      Comparator.comparingInt(SettingsSection::position).thenComparing(Comparator.naturalOrder());

  /** Sorts the keys 1, 2, 4, … 32768 numerically. */
  private static final Comparator<String> BY_LENGTH =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private final PickleOutput pickle;

  SettingsSection(PickleOutput pickle) {
    this.pickle = pickle;
  }

  void write(AllocatorSettings settings) throws IOException {
    Map<String, String> values = new TreeMap<>(TORCH_ORDER);
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
                    .computeIfAbsent(name.substring(0, dot), _ -> new TreeMap<>(BY_LENGTH))
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
        writeParsed(entry.getValue());
      }
    }
    pickle.setItems();
  }

  private void writeParsed(String value) throws IOException {
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      pickle.bool(Boolean.parseBoolean(value));
    } else if (INTEGER.matcher(value).matches() && fits(new BigInteger(value))) {
      writeInteger(new BigInteger(value));
    } else if (REAL.matcher(value).matches()) {
      pickle.real(Double.parseDouble(value));
    } else {
      pickle.text(value);
    }
  }

  /** Whether the number fits into 64 bits, signed or unsigned. */
  private static boolean fits(BigInteger value) {
    return value.bitLength() <= (value.signum() < 0 ? Long.SIZE - 1 : Long.SIZE);
  }

  private void writeInteger(BigInteger value) throws IOException {
    if (value.signum() < 0) {
      pickle.number(value.longValue());
    } else {
      pickle.unsigned(value.longValue());
    }
  }

  private static int position(String name) {
    int index = KNOWN_ORDER.indexOf(name);
    return index < 0 ? KNOWN_ORDER.size() : index;
  }
}
