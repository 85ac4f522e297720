package dev.vramscope.budget;

import dev.vramscope.model.Frame;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An optimizer of PyTorch.
 *
 * @param label its name for display
 * @param valuesPerParameter values that it keeps for each parameter, with its defaults; SGD keeps
 *     one with momentum
 */
record Optimizer(String label, int valuesPerParameter) {
  /** By the name of the file in {@code torch/optim}. */
  private static final Map<String, Optimizer> BY_FILE =
      Map.of(
          "adam", new Optimizer("Adam or AdamW", 2),
          "adamw", new Optimizer("AdamW", 2),
          "nadam", new Optimizer("NAdam", 2),
          "radam", new Optimizer("RAdam", 2),
          "adamax", new Optimizer("Adamax", 2),
          "adadelta", new Optimizer("Adadelta", 2),
          "adagrad", new Optimizer("Adagrad", 1),
          "rmsprop", new Optimizer("RMSprop", 1),
          "lion", new Optimizer("Lion", 1),
          "sgd", new Optimizer("SGD with momentum", 1));

  /** The optimizer whose code a frame is, or null. */
  static @Nullable Optimizer of(Frame frame) {
    String file = frame.file().replace('\\', '/').toLowerCase(Locale.ROOT);
    if (!file.contains("/optim") || !file.endsWith(".py")) {
      return null;
    }
    return BY_FILE.get(file.substring(file.lastIndexOf('/') + 1, file.length() - 3));
  }
}
