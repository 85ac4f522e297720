package dev.vramscope.web.display;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.web.budget.BudgetWords;
import dev.vramscope.web.lab.LearnTopic;
import dev.vramscope.web.lab.LearnTopics;
import dev.vramscope.web.snapshot.LedgerView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GlossaryTest {
  private static final Pattern IN_TEMPLATE = Pattern.compile("vs:term=\"([a-z-]+)\"");
  private static final Pattern FOR_SCRIPT =
      Pattern.compile("parts :: definitions\\('([a-z,-]+)'\\)");

  private static final Pattern IN_SENTENCE = Pattern.compile("[.]term[(]\"([a-z-]+)\"");

  private final Glossary glossary = Glossary.load();

  @Test
  void everyTermOfThePagesIsDefined() throws IOException {
    for (String id : usedTerms()) {
      assertThat(glossary.term(id).definition()).as(id).isNotBlank();
    }
  }

  @Test
  void everyDefinitionIsUsedOnAPage() throws IOException {
    assertThat(usedTerms()).containsAll(glossary.terms().stream().map(Glossary.Term::id).toList());
  }

  @Test
  void definitionsAreShortSentences() {
    for (Glossary.Term term : glossary.terms()) {
      assertThat(term.definition()).as(term.id()).endsWith(".").hasSizeBetween(40, 220);
      assertThat(term.id()).matches("[a-z]+(-[a-z]+)*");
    }
  }

  @Test
  void everyLinkLeadsToAnIdea() {
    for (Glossary.Term term : glossary.terms()) {
      if (term.isExplained()) {
        assertThat(LearnTopics.find(term.topic())).as(term.id()).isPresent();
        assertThat(term.href()).isEqualTo("/learn/" + term.topic());
      } else {
        assertThat(term.href()).isEqualTo("/about#term-" + term.id());
      }
    }
  }

  @Test
  void everyIdeaIsReachedFromATermOrFromAnotherIdea() {
    Set<String> reached = new TreeSet<>();
    glossary.terms().forEach(term -> reached.add(term.topic()));
    LearnTopics.LIST.forEach(topic -> reached.addAll(topic.related()));
    assertThat(reached).containsAll(LearnTopics.LIST.stream().map(LearnTopic::id).toList());
  }

  @Test
  void rejectsAnUndefinedTerm() {
    assertThatThrownBy(() -> glossary.term("heap"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("glossary.txt does not define heap");
  }

  private static Set<String> usedTerms() throws IOException {
    Set<String> used = new TreeSet<>();
    for (Item item : Item.values()) {
      used.add(LedgerView.term(item));
    }
    for (Use use : Use.values()) {
      used.add(BudgetWords.term(use));
    }
    List<Path> templates = files("src/main/resources/templates");
    assertThat(templates).isNotEmpty();
    for (Path template : templates) {
      String text = Files.readString(template);
      IN_TEMPLATE.matcher(text).results().forEach(match -> used.add(match.group(1)));
      FOR_SCRIPT
          .matcher(text)
          .results()
          .flatMap(match -> Arrays.stream(match.group(1).split(",", -1)))
          .forEach(used::add);
    }
    for (Path source : files("src/main/java/dev/vramscope/postmortem")) {
      IN_SENTENCE
          .matcher(Files.readString(source))
          .results()
          .forEach(match -> used.add(match.group(1)));
    }
    return used;
  }

  private static List<Path> files(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
