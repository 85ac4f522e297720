package dev.vramscope.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Frame;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptimizerTest {
  @ParameterizedTest
  @CsvSource({
    "/x/site-packages/torch/optim/adam.py, Adam or AdamW, 2",
    "/x/site-packages/torch/optim/adamw.py, AdamW, 2",
    "/x/site-packages/torch/optim/nadam.py, NAdam, 2",
    "/x/site-packages/torch/optim/radam.py, RAdam, 2",
    "/x/site-packages/torch/optim/adamax.py, Adamax, 2",
    "/x/site-packages/torch/optim/adadelta.py, Adadelta, 2",
    "/x/site-packages/torch/optim/adagrad.py, Adagrad, 1",
    "/x/site-packages/torch/optim/rmsprop.py, RMSprop, 1",
    "/x/site-packages/torch/optim/sgd.py, SGD with momentum, 1",
    "/home/me/optimizers/lion.py, Lion, 1",
    "C:\\Lib\\site-packages\\torch\\optim\\SGD.py, SGD with momentum, 1",
  })
  void optimizerIsKnownByItsFile(String file, String label, int values) {
    Optimizer found = Optimizer.of(new Frame("step", file, 1)).orElseThrow();
    assertThat(found.label()).isEqualTo(label);
    assertThat(found.valuesPerParameter()).isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "??",
        "/home/me/adam.py",
        "/x/site-packages/torch/optim/optimizer.py",
        "/x/site-packages/torch/optim/adam.cpp",
        "/x/site-packages/torch/optim/adam",
        "/home/adam/optim/.py"
      })
  void otherCodeIsNoKnownOptimizer(String file) {
    assertThat(Optimizer.of(new Frame("adam", file, 1))).isEmpty();
  }
}
