package dev.vramscope.explain.producer;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** The program that makes images or videos, whose options decide what stays on the GPU. */
public enum ImageProgram {
  COMFY_UI(
      "ComfyUI",
      "(?i)\\bcomfyui\\b|[\\\\/]comfy[\\\\/]|execution\\.py\", line [0-9]{1,5}, in"
          + " get_output_data",
      "--lowvram  # or --novram, --reserve-vram 1"),
  STABLE_DIFFUSION_WEB_UI(
      "the Stable Diffusion web UI",
      "(?i)stable-diffusion-webui|[\\\\/]modules[\\\\/](?:processing|sd_samplers|txt2img|img2img)",
      "--medvram  # or --lowvram"),
  FOOOCUS("Fooocus", "(?i)\\bfooocus\\b", "--always-low-vram"),
  DIFFUSERS(
      "diffusers",
      "[\\\\/]diffusers[\\\\/](?:pipelines|models)",
      "pipe.enable_model_cpu_offload(); pipe.enable_vae_tiling()");

  private final String label;
  private final Pattern pattern;
  private final String lessOnGpu;

  ImageProgram(String label, String pattern, String lessOnGpu) {
    this.label = label;
    this.pattern = Pattern.compile(pattern);
    this.lessOnGpu = lessOnGpu;
  }

  /** The program that wrote a log, if it is one of these. */
  static Optional<ImageProgram> of(LogContext log) {
    return Arrays.stream(values()).filter(each -> log.has(each.pattern)).findFirst();
  }

  /** Whether nobody trains a model with it. */
  public boolean onlyInfers() {
    return this != DIFFUSERS;
  }

  /** How to compute less at once. */
  public Advice smallerImage() {
    return new Advice(
        "Compute less at once: a lower resolution, fewer frames of a video, or one image at a time;"
            + " the image’s last step (VAE) in tiles.",
        "");
  }

  /** How to keep less of the models on the GPU. */
  public Advice lessOnGpu() {
    return new Advice(
        "Or keep less of the models on the GPU: "
            + label
            + " can move the parts that do not compute to the CPU, more slowly. Weights of 8 bits"
            + " or fewer (fp8, GGUF) need less, too.",
        lessOnGpu);
  }
}
