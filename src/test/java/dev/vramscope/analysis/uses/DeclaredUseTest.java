package dev.vramscope.analysis.uses;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeclaredUseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "activation",
        "ACTIVATIONS",
        " Activation ",
        "category: activation",
        "category=activation",
        "layer 3, category : Activations",
        "{\"category\": \"ACTIVATION\"}",
        "{\"layer\":3,\"category\":\"activation\",\"x\":\"gradient\"}"
      })
  void useIsDeclaredAsTextOrAsMember(String metadata) {
    assertThat(DeclaredUse.of(metadata)).isEqualTo(Use.ACTIVATIONS);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        " \n",
        "layer 7",
        "the activation of layer 7",
        "category",
        "category:",
        "category: other things",
        "{\"layer\": \"activation\"}",
        "{\"category\": 3}",
        "{\"category\": null}",
        "{\"category\": {\"category\": \"?\"}}"
      })
  void otherTextDeclaresNoUse(String metadata) {
    assertThat(DeclaredUse.of(metadata)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "parameter, PARAMETERS",
    "weights, PARAMETERS",
    "gradient, GRADIENTS",
    "GRADS, GRADIENTS",
    "optimizer, OPTIMIZER_STATE",
    "OPTIMIZER_STATE, OPTIMIZER_STATE",
    "optimizer-state, OPTIMIZER_STATE",
    "Optimizer states, OPTIMIZER_STATE",
    "autograd_detail, TEMPORARY",
    "AUTOGRAD DETAIL, TEMPORARY",
    "temporary, TEMPORARY",
    "workspaces, WORKSPACES",
    "communication, COMMUNICATION",
    "INPUT, OTHER",
  })
  void wordsAreThoseOfPyTorchsProfiler(String word, Use use) {
    assertThat(Use.declared(word)).isEqualTo(use);
    assertThat(DeclaredUse.of("{\"category\": \"" + word + "\"}")).isEqualTo(use);
  }

  @Test
  void everyIdentifiedUseCanBeDeclaredByItsId() {
    for (Use use : Use.values()) {
      if (use != Use.OTHER && use != Use.NO_STACK && use != Use.TEMPORARY) {
        assertThat(Use.declared(use.id())).isEqualTo(use);
      }
    }
    assertThat(Use.OPTIMIZER_STATE.id()).isEqualTo("optimizer-state");
  }

  @Test
  void longTextIsNoCategory() {
    assertThat(DeclaredUse.of("category: " + "a".repeat(1_000_000))).isNull();
  }
}
