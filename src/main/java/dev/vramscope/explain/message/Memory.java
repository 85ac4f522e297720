package dev.vramscope.explain.message;

/** Which memory a message is about. */
public enum Memory {
  DEVICE("device", "the memory of the GPU"),
  HOST("host", "the memory of the host"),
  PINNED_HOST("pinned-host", "pinned memory of the host"),
  ON_CHIP("on-chip", "memory on the chip"),
  NONE("none", "no memory");

  private final String id;
  private final String label;

  Memory(String id, String label) {
    this.id = id;
    this.label = label;
  }

  /** The name in JSON. */
  public String id() {
    return id;
  }

  /** For sentences. */
  public String label() {
    return label;
  }
}
