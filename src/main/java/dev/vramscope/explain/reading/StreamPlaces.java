package dev.vramscope.explain.reading;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The places of all messages of a text, in order; where several forms match, the first has it. */
final class StreamPlaces {
  private final List<FormPlaces> forms;
  private final @Nullable FormPlace[] next;

  /** The end of the start of the message before. */
  private int covered;

  /**
   * The places in a text.
   *
   * @param messageForms one whose start includes that of another is before it
   * @param present the words of the forms that the text has
   */
  StreamPlaces(String text, List<MessageForm> messageForms, Set<String> present) {
    forms =
        messageForms.stream()
            .filter(form -> form.anchors().stream().anyMatch(present::contains))
            .map(form -> new FormPlaces(form, text, present))
            .toList();
    next = forms.stream().map(FormPlaces::next).toArray(FormPlace[]::new);
  }

  /** The next place, or null. */
  @Nullable FormPlace next() {
    while (true) {
      int first = -1;
      for (int form = 0; form < next.length; form++) {
        FormPlace place = next[form];
        if (place != null && (first < 0 || place.start() < next[first].start())) {
          first = form;
        }
      }
      if (first < 0) {
        return null;
      }
      FormPlace place = next[first];
      next[first] = forms.get(first).next();
      if (place.start() >= covered) {
        covered = place.end();
        return place;
      }
    }
  }
}
