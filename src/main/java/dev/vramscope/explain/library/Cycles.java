package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Cycles, the renderer of Blender, on a GPU. */
public final class Cycles implements MessageProducer {
  private static final MessageKind CYCLES =
      MessageKind.failure(
          "cycles", Memory.DEVICE, "Cycles, Blender’s renderer,", "a failed request of Cycles");

  private static final MessageKind START =
      MessageKind.context(
          "cycles-start", Memory.DEVICE, "Cycles", "what Cycles may use of the host’s memory");

  private static final FieldName SCENE = new FieldName("scene", "Used for the scene on the GPU");
  private static final FieldName BUFFER = new FieldName("buffer", "Buffer");
  private static final FieldName MAPPED = new FieldName("mapped", "Most of the host’s memory");

  @Override
  public String name() {
    return "Cycles (Blender)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(START, "Mapped host memory limit set to [0-9]", "host memory limit set")
            .bytes(MAPPED, "limit set to " + SIZE),
        MessageForm.of(
                CYCLES,
                "Buffer allocate: [^,\\n]{1,120}, [^\\n(]{1,60}\\([^)\\n]{1,30}\\) failed, out of"
                    + " device"
                    + "|(?:Mem:[^|\\n]{1,60}\\|[^\\n]{0,120})?System is out of GPU (?:and shared"
                    + " host )?memory",
                "Buffer allocate: ",
                "System is out of GPU")
            .words(BUFFER, "Buffer allocate: ([^,\\n]{1,120}),")
            .bytes(FieldName.REQUESTED, "Buffer allocate: [^,\\n]{1,120}, " + SIZE)
            .bytes(SCENE, "^Mem:" + SIZE)
            .words(FieldName.REASON, "(out of device and host memory|GPU and shared host memory)"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "Error: System is out of GPU memory",
        "Buffer allocate: image_texture, 1,073,741,824 bytes. (1.00G) failed, out of device and"
            + " host memory",
        "Fra:7 Mem:900.00M (Peak 950.00M) | Time:00:10.00 | Mem:7000.00M, Peak:7100.00M | Scene |"
            + " System is out of GPU and shared host memory");
  }

  /** The buffer, the status line and the error are of one request. */
  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return LogFailure.ofSameKind(message, failures);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == START) {
      return conclusion.headline("Cycles says how much of the host’s memory it may use.").build();
    }
    if (!failure.getFirst().equals(message)) {
      return conclusion.build(); // Its messages are read together.
    }
    Facts facts = new Facts(failure);
    boolean isShared = facts.written(FieldName.REASON).isPresent();
    Optional<Quantity> requested = facts.quantity(FieldName.REQUESTED);
    conclusion.headline(
        "The scene did not fit into the memory of the GPU"
            + (isShared ? ", nor into the part of the host’s memory that Cycles may use" : "")
            + requested
                .map(
                    bytes ->
                        ": "
                            + Amounts.text(bytes)
                            + facts
                                .written(BUFFER)
                                .map(buffer -> " for the buffer " + buffer)
                                .orElse("")
                            + " could not be allocated")
                .orElse("")
            + ".");
    facts
        .quantity(SCENE)
        .ifPresent(
            bytes ->
                conclusion.certain("The render had " + Amounts.text(bytes) + " on the device."));
    if (isShared) {
      conclusion.certain(
          "Cycles moves what does not fit the GPU into memory of the host that the GPU reads"
              + context
                  .numbers()
                  .quantity(MAPPED)
                  .map(limit -> ", at most " + Amounts.text(limit) + " here")
                  .orElse("")
              + "; that did not suffice either. An image that was saved after this error is not"
              + " rendered.");
    } else {
      conclusion.certain(
          "This memory has to be on the GPU: it is not moved to the host. An image that was saved"
              + " after this error is not rendered.");
    }
    return conclusion
        .unknown("Which textures and meshes hold the most: Blender’s statistics list them.")
        .remedy(
            "Make the scene smaller: limit the size of textures (Render, Simplify, Texture limit),"
                + " lower subdivision and the dicing rate, hide what the camera does not see.",
            "scene.render.use_simplify = True; scene.cycles.texture_limit_render = '2048'")
        .remedy(
            "Or render on the CPU, which has the whole memory of the host.",
            "blender -b FILE -E CYCLES -f FRAME -- --cycles-device CPU")
        .build();
  }
}
