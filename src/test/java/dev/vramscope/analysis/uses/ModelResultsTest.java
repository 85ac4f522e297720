package dev.vramscope.analysis.uses;

import static dev.vramscope.analysis.uses.TrainingTrace.FORWARD;
import static dev.vramscope.analysis.uses.TrainingTrace.INIT;
import static dev.vramscope.analysis.uses.TrainingTrace.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Frame;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the results of models: evaluations, kept results, caches, checkpoints. */
class ModelResultsTest {
  private static final Frame EVALUATE = new Frame("evaluate", "/home/me/train.py", 40);
  private static final Frame COLLECT = new Frame("collect", "/home/me/train.py", 50);
  private static final Frame LOAD =
      new Frame("load_tensor", "/x/site-packages/torch/serialization.py", 2150);
  private static final Frame CACHE =
      new Frame("update", "/x/site-packages/transformers/cache_utils.py", 110);
  private static final Frame METRIC =
      new Frame("update", "/x/site-packages/torchmetrics/classification/auroc.py", 120);

  private final TrainingTrace trace = new TrainingTrace();

  private static Frame layer(int number) {
    return new Frame("forward", "/home/me/layers.py", number);
  }

  /** A step with a forward and a backward pass over six layers. */
  private void train(int step) {
    for (int layer = 0; layer < 6; layer++) {
      trace.allocate("trained " + step + " " + layer, 100, layer(layer), MAIN);
    }
    for (int layer = 5; layer >= 0; layer--) {
      trace.allocate("within " + step + " " + layer, 70);
      trace.free("within " + step + " " + layer, "trained " + step + " " + layer);
    }
  }

  /** A call of the model that frees each result as soon as it has the next one. */
  private void evaluate(int step) {
    for (int layer = 0; layer < 6; layer++) {
      trace.allocate("evaluated " + step + " " + layer, 100, layer(layer), EVALUATE);
      if (layer > 0) {
        trace.free("evaluated " + step + " " + (layer - 1));
      }
    }
    trace.allocate("score " + step, 4, EVALUATE);
    trace.free("score " + step);
  }

  @Test
  void resultsWithoutABackwardPassAreTemporary() {
    train(0);
    evaluate(0);
    trace.free("evaluated 0 5");
    train(1);
    assertThat(trace.uses())
        .containsEntry("trained 0 0", Use.ACTIVATIONS)
        .containsEntry("evaluated 0 0", Use.TEMPORARY)
        .containsEntry("evaluated 0 5", Use.TEMPORARY)
        .containsEntry("trained 1 5", Use.ACTIVATIONS);
  }

  @Test
  void callThatKeepsTheResultsOfItsLayersHasAGraph() {
    train(0);
    for (int layer = 0; layer < 6; layer++) {
      trace.allocate("kept " + layer, 100, layer(layer), EVALUATE);
    }
    trace.allocate("score", 4, EVALUATE);
    assertThat(trace.uses()).containsEntry("kept 0", Use.ACTIVATIONS);
  }

  @Test
  void outputsInAListAreKeptResultsTheLatestToo() {
    for (int step = 0; step < 5; step++) {
      evaluate(step);
    }
    assertThat(trace.uses())
        .containsEntry("evaluated 0 4", Use.TEMPORARY)
        .containsEntry("evaluated 0 5", Use.KEPT_RESULTS)
        .containsEntry("evaluated 4 5", Use.KEPT_RESULTS);
  }

  @Test
  void outputThatTheNextOneReplacesIsNotKept() {
    for (int step = 0; step < 5; step++) {
      evaluate(step);
      if (step > 0) {
        trace.free("evaluated " + (step - 1) + " 5");
      }
    }
    assertThat(trace.uses()).containsEntry("evaluated 4 5", Use.TEMPORARY);
  }

  @Test
  void resultsOfOtherCodeAreKeptIfTheyPileUp() {
    for (int step = 0; step < 4; step++) {
      trace.allocate("batch " + step, 50, MAIN);
      evaluate(step);
      trace.allocate("collected " + step, 10, COLLECT, MAIN);
      trace.free("evaluated " + step + " 5", "batch " + step);
    }
    assertThat(trace.uses())
        .containsEntry("batch 1", Use.OTHER)
        .containsEntry("collected 0", Use.KEPT_RESULTS)
        .containsEntry("collected 3", Use.KEPT_RESULTS);
  }

  @Test
  void resultThatGrowsWithEachStepIsKept() {
    for (int step = 0; step < 6; step++) {
      evaluate(step);
      trace.allocate("joined " + step, 10L * (step + 1), COLLECT, MAIN);
      if (step > 0) {
        trace.free("joined " + (step - 1));
      }
      trace.free("evaluated " + step + " 5");
    }
    assertThat(trace.uses()).containsEntry("joined 5", Use.KEPT_RESULTS);
  }

  @Test
  void batchesOfSizesThatVaryAreNotKept() {
    long[] sizes = {10, 20, 30, 15, 40, 50};
    for (int step = 0; step < sizes.length; step++) {
      trace.allocate("batch " + step, sizes[step], COLLECT, MAIN);
      if (step > 0) {
        trace.free("batch " + (step - 1));
      }
      evaluate(step);
      trace.free("evaluated " + step + " 5");
    }
    assertThat(trace.uses()).containsEntry("batch 5", Use.OTHER);
  }

  @Test
  void batchesThatGrowWithWhatTheModelComputesAreNotKept() {
    for (int step = 0; step < 6; step++) {
      trace.allocate("batch " + step, 10L << step, COLLECT, MAIN);
      if (step > 0) {
        trace.free("batch " + (step - 1));
      }
      trace.allocate("result " + step, 100L << step, FORWARD, EVALUATE);
      trace.free("result " + step);
    }
    assertThat(trace.uses()).containsEntry("batch 5", Use.OTHER);
  }

  /** Calls of a model, each of which replaces the keys of two layers by longer ones. */
  private void generate(String request, int tokens) {
    for (int token = 0; token < tokens; token++) {
      for (int layer = 0; layer < 2; layer++) {
        String keys = request + " keys " + layer + " ";
        trace.allocate(request + " query " + token + layer, 20, FORWARD, EVALUATE);
        trace.allocate(keys + token, 100 + token, layer(token == 0 ? 1 : 2), FORWARD, EVALUATE);
        if (token > 0) {
          trace.free(keys + (token - 1));
        }
        trace.free(request + " query " + token + layer);
      }
      trace.allocate(request + " token " + token, 4, EVALUATE);
      trace.free(request + " token " + token);
    }
  }

  @Test
  void keysThatGrowFromCallToCallAreACacheAlsoInAListOfRequests() {
    generate("a", 6);
    generate("b", 6);
    assertThat(trace.uses())
        .containsEntry("a keys 0 0", Use.KV_CACHE)
        .containsEntry("a keys 1 5", Use.KV_CACHE)
        .containsEntry("b keys 1 5", Use.KV_CACHE)
        .containsEntry("b query 11", Use.TEMPORARY)
        .containsEntry("b token 1", Use.TEMPORARY);
  }

  @Test
  void stateThatEachCallReplacesByAsMuchIsNoCache() {
    for (int step = 0; step < 6; step++) {
      trace.allocate("state " + step, 100, FORWARD, EVALUATE);
      if (step > 0) {
        trace.free("state " + (step - 1));
      }
      trace.allocate("score " + step, 4, EVALUATE);
    }
    assertThat(trace.uses()).doesNotContainValue(Use.KV_CACHE);
  }

  @Test
  void resultsOfOtherCodeThatAreFreedBeforeTheNextCallAreTemporary() {
    for (int step = 0; step < 3; step++) {
      trace.allocate("batch " + step, 50, MAIN);
      evaluate(step);
      trace.allocate("distances " + step, 500, COLLECT, MAIN);
      if (step < 2) {
        trace.free("distances " + step, "evaluated " + step + " 5", "batch " + step);
      }
    }
    assertThat(trace.uses())
        .containsEntry("distances 0", Use.TEMPORARY)
        .containsEntry("distances 2", Use.TEMPORARY)
        .containsEntry("batch 2", Use.OTHER);
  }

  @Test
  void stateOfAMetricIsKeptAndItsTemporaryResultsAreNot() {
    evaluate(0);
    trace.allocate("softmax", 30, METRIC, MAIN);
    trace.allocate("state", 30, METRIC, MAIN);
    trace.free("softmax", "evaluated 0 5");
    evaluate(1);
    assertThat(trace.uses())
        .containsEntry("softmax", Use.TEMPORARY)
        .containsEntry("state", Use.KEPT_RESULTS);
  }

  @Test
  void keysAndValuesAreACacheUnlessTheyAreTrained() {
    trace.allocate("generated", 64, CACHE, FORWARD, EVALUATE);
    trace.allocate("next", 4, EVALUATE);
    trace.allocate("trained", 64, CACHE, FORWARD, MAIN);
    trace.allocate("gradient", 64);
    assertThat(trace.uses())
        .containsEntry("generated", Use.KV_CACHE)
        .containsEntry("trained", Use.ACTIVATIONS);
  }

  @Test
  void checkpointIsACopyOfTheParametersAndTheStateOfTheOptimizer() {
    trace.allocate("tied weight", 4000, INIT, MAIN);
    trace.free("tied weight");
    trace.allocate("weight", 4000, INIT, MAIN);
    trace.allocate("bias", 40, INIT, MAIN);
    for (String part : new String[] {"parameter", "first value", "second value"}) {
      trace.allocate(part, 4000, LOAD, MAIN);
      trace.allocate(part + " of bias", 40, LOAD, MAIN);
    }
    trace.allocate("step", 4, LOAD, MAIN);
    assertThat(trace.uses())
        .containsAllEntriesOf(
            Map.of(
                "parameter", Use.PARAMETERS,
                "parameter of bias", Use.PARAMETERS,
                "first value", Use.OPTIMIZER_STATE,
                "second value", Use.OPTIMIZER_STATE,
                "second value of bias", Use.OPTIMIZER_STATE,
                "step", Use.OPTIMIZER_STATE));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void checkpointAloneIsTheModel(int count) {
    for (int i = 0; i < count; i++) {
      trace.allocate("weight " + i, 4000, LOAD, MAIN);
    }
    trace.allocate("result", 100, FORWARD, MAIN);
    assertThat(trace.uses()).containsEntry("weight " + (count - 1), Use.PARAMETERS);
  }

  @Test
  void resultsOfTheBackwardPassHaveTheLatestPartnerOfTheirSize() {
    trace.allocate("first", 100, layer(0), MAIN);
    trace.allocate("second", 100, layer(1), MAIN);
    trace.allocate("of second", 100);
    trace.free("second", "of second");
    trace.allocate("of first", 100);
    trace.allocate("of no size", 90);
    Uses uses = trace.uses(trace.lifetimes(), trace.classes());
    assertThat(uses.use(2)).isEqualTo(Use.TEMPORARY);
    assertThat(uses.forwardPartner(2)).isEqualTo(trace.stack(layer(1), MAIN));
    assertThat(uses.forwardPartner(3)).isEqualTo(trace.stack(layer(0), MAIN));
    assertThat(uses.use(4)).isEqualTo(Use.NO_STACK);
    assertThat(uses.forwardPartner(4)).isZero();
  }
}
