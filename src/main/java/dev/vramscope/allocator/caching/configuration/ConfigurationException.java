package dev.vramscope.allocator.caching.configuration;

/**
 * A settings string was not accepted. The message is PyTorch's, so that people find it on the web;
 * the kind says which of its exceptions carried it.
 */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What PyTorch throws in the same place. */
  public enum Kind {
    /** The value or key is wrong. */
    VALUE("ValueError"),
    /** The string ends too early, or names another allocator. */
    STRUCTURE("Error"),
    /** A number is none. */
    NUMBER("std");

    private final String torchName;

    Kind(String torchName) {
      this.torchName = torchName;
    }

    public String torchName() {
      return torchName;
    }
  }

  private final Kind kind;

  ConfigurationException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  static ConfigurationException value(String message) {
    return new ConfigurationException(Kind.VALUE, message);
  }

  public Kind kind() {
    return kind;
  }
}
