package dev.vramscope.explain.message;

import java.util.List;
import java.util.OptionalLong;

/**
 * The messages of a text.
 *
 * @param messages the different ones, in the order of their first lines
 * @param leftOut the messages that are in none of them
 * @param unlisted the different failures among these; empty if that is not known
 */
public record LogMessages(List<LogMessage> messages, LeftOut leftOut, OptionalLong unlisted) {
  public LogMessages {
    messages = List.copyOf(messages);
  }
}
