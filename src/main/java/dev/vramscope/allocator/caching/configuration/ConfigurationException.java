package dev.vramscope.allocator.caching.configuration;

/**
 * A settings string was not accepted. The message is PyTorch's, so that users can search for it;
 * the kind is the type of exception with which PyTorch reports it.
 */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The exception that PyTorch throws for the same mistake. */
  public enum Kind {
    /** A value or key is invalid. */
    VALUE("ValueError"),
    /** The string ends too early, or names another allocator backend. */
    STRUCTURE("Error"),
    /** A number cannot be parsed. */
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
