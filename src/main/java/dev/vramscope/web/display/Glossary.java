package dev.vramscope.web.display;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Definitions of the allocator terms on the pages, read from {@code glossary.txt}. Pages show a
 * definition on hover, focus and tap ({@code vs:term="id"}); the About page lists them all.
 */
public final class Glossary {
  private static final String FILE = "glossary.txt";
  private static final String OF_XLA = "glossary-xla.txt";

  /** A heading of the About page and its terms, in the order of the file. */
  record Group(String title, List<Term> terms) {}

  /**
   * A defined term.
   *
   * @param id lower-case words joined with hyphens; the templates refer to it
   * @param name as it is written in running text
   * @param topic the id of the idea that explains it; empty if none does
   */
  record Term(String id, String name, String definition, String topic) {
    /** Where it is explained: the page of an idea, or else its definition on the About page. */
    public String href() {
      return isExplained() ? "/learn/" + topic : "/about#" + anchor();
    }

    /** Whether an idea explains it. */
    public boolean isExplained() {
      return !topic.isEmpty();
    }

    public String anchor() {
      return "term-" + id;
    }
  }

  private final List<Group> groups = new ArrayList<>();
  private final Map<String, Term> terms = new LinkedHashMap<>();
  private final Map<String, Term> ofXla = new LinkedHashMap<>();

  private Glossary(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith("## ")) {
        groups.add(new Group(line.substring(3).strip(), new ArrayList<>()));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        add(line);
      }
    }
  }

  /** What a term means of XLA's allocator. */
  private void addOfXla(String line) {
    String[] parts = line.split(" \\| ", -1);
    if (parts.length != 3) {
      throw new IllegalStateException(OF_XLA + ": not 'id | definition | idea': " + line);
    }
    String id = parts[0].strip();
    ofXla.put(id, new Term(id, term(id).name(), parts[1].strip(), parts[2].strip()));
  }

  private void add(String line) {
    String[] parts = line.split(" \\| ", -1);
    if (parts.length < 3 || parts.length > 4 || groups.isEmpty()) {
      throw new IllegalStateException(FILE + ": not 'id | name | definition [| idea]': " + line);
    }
    Term term =
        new Term(
            parts[0].strip(),
            parts[1].strip(),
            parts[2].strip(),
            parts.length == 4 ? parts[3].strip() : "");
    if (terms.putIfAbsent(term.id(), term) != null) {
      throw new IllegalStateException(FILE + ": defined twice: " + term.id());
    }
    groups.getLast().terms().add(term);
  }

  public static Glossary load() {
    Glossary glossary = new Glossary(lines(FILE));
    lines(OF_XLA).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(glossary::addOfXla);
    return glossary;
  }

  private static List<String> lines(String file) {
    try (InputStream stream = Glossary.class.getResourceAsStream(file)) {
      if (stream == null) {
        throw new IllegalStateException("missing resource " + file);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The groups in the order of the file. */
  public List<Group> groups() {
    return groups;
  }

  /** All terms in the order of the file. */
  Collection<Term> terms() {
    return terms.values();
  }

  /**
   * The term with an id.
   *
   * @throws IllegalArgumentException if it is not defined
   */
  public Term term(String id) {
    Term term = terms.get(id);
    if (term == null) {
      throw new IllegalArgumentException(FILE + " does not define " + id);
    }
    return term;
  }

  /**
   * The term with an id as it is meant of XLA's allocator, or of all.
   *
   * @throws IllegalArgumentException if it is not defined
   */
  public Term ofXla(String id) {
    Term term = ofXla.get(id);
    return term == null ? term(id) : term;
  }
}
