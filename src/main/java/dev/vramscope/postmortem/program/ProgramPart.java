package dev.vramscope.postmortem.program;

/** A part of the memory at a failure, by what the program uses it for. */
public enum ProgramPart {
  /** All that is live. */
  LIVE,
  /** What the failing step has allocated, and what it asked for last. */
  STEP,
  /** What grows from step to step. */
  GROWTH,
  /** Results of a model that each step keeps, with those that they were computed from. */
  GROWING_GRAPH,
  /** Results that a model keeps for a backward pass. */
  ACTIVATIONS,
  /** The same in code that runs no backward pass, beside code that does. */
  EVALUATION_GRAPH,
  /** Parameters and buffers of models. */
  PARAMETERS,
  /** Values that an optimizer keeps for each parameter. */
  OPTIMIZER_STATE,
  /** All the values that an optimizer needs that was making them when the request failed. */
  FIRST_OPTIMIZER_STEP,
  /** Gradients and the state of optimizers. */
  TRAINING_STATE,
  /** A model that was used before another one was made, with what was made to train it. */
  EARLIER_MODEL,
  /** Parameters that are a copy of others. */
  COPIED_MODEL,
  /** Parameters of a model as large as another one, made before either was used. */
  SECOND_MODEL
}
