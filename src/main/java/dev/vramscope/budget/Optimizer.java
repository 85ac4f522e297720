package dev.vramscope.budget;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An optimizer of PyTorch.
 *
 * @param label its name for display
 * @param valuesPerParameter values that it keeps for each parameter, with its defaults; SGD keeps
 *     one with momentum
 */
public record Optimizer(String label, int valuesPerParameter) {
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

  /** The optimizer whose code a stack has; empty if it has none of those that are known. */
  public static Optional<Optimizer> of(int stack, StackTable table) {
    for (int node = stack; node != StackTable.NONE; node = table.parent(node)) {
      Optional<Optimizer> optimizer = of(table.frame(node));
      if (optimizer.isPresent()) {
        return optimizer;
      }
    }
    return Optional.empty();
  }

  /** The optimizer whose code a frame is. */
  static Optional<Optimizer> of(Frame frame) {
    String file = frame.file().replace('\\', '/').toLowerCase(Locale.ROOT);
    return file.contains("/optim") && file.endsWith(".py")
        ? Optional.ofNullable(
            BY_FILE.get(file.substring(file.lastIndexOf('/') + 1, file.length() - 3)))
        : Optional.empty();
  }
}
