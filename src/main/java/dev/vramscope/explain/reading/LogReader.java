package dev.vramscope.explain.reading;

import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.LogMessages;
import java.util.List;

/**
 * Finds the messages of failed requests in a text, in time proportional to its length. Besides the
 * text, it holds no more than the messages and one message of each form.
 */
public final class LogReader {
  private LogReader() {}

  /**
   * The different messages, and how often each occurs.
   *
   * @param forms where several match, the first has the place
   * @param others messages of the same text that were found in another way
   */
  public static LogMessages read(String text, List<MessageForm> forms, List<LogMessage> others) {
    MessageTable messages = new MessageTable();
    PresentWords words =
        new PresentWords(forms.stream().flatMap(form -> form.anchors().stream()).toList());
    for (LogStream stream : LogText.streams(text)) {
      new StreamReader(stream, messages).read(forms, words);
    }
    others.forEach(message -> messages.add(message, messages.nextOrder()));
    return messages.messages();
  }
}
