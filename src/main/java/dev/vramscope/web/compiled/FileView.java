package dev.vramscope.web.compiled;

import dev.vramscope.compiled.ArrayShape;
import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.MemoryUses;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.store.listing.StoredSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An upload of compiled programs.
 *
 * @param platform such as cpu; empty if no file name says it
 * @param programs those with an assignment first, by size
 * @param changes each variant against the one before it, in a sentence
 * @param unusableDonations donated arrays that JAX could not reuse
 */
public record FileView(
    String id,
    String name,
    String platform,
    List<ProgramView> programs,
    List<String> changes,
    List<UnusableDonation> unusableDonations,
    List<Finding> findings) {
  /**
   * A donated array that no output could be written to; null if the size of its type is unknown.
   */
  public record UnusableDonation(String shape, @Nullable Long bytes) {}

  /** Of a dump folder, only the largest programs are shown; most are single operations. */
  static final int MOST = 100;

  private static final int MOST_VARIANTS = 10;

  static FileView of(StoredSnapshot stored, CompiledFile file) {
    return new FileView(
        stored.id(),
        stored.name(),
        file.platform(),
        file.programs().stream().limit(MOST).map(ProgramView::of).toList(),
        changes(file),
        unusable(file),
        file.findings());
  }

  /** Variants are compared in the order of the text; modules of a dump are different programs. */
  static List<String> changes(CompiledFile file) {
    List<CompiledProgram> variants =
        file.programs().stream()
            .filter(each -> each.statistics().isPresent())
            .limit(MOST_VARIANTS)
            .toList();
    List<String> changes = new ArrayList<>();
    for (int i = 1; i < variants.size(); i++) {
      ComparisonView.of(variants.get(i - 1), variants.get(i))
          .map(ComparisonView::sentence)
          .ifPresent(changes::add);
    }
    return changes;
  }

  static List<UnusableDonation> unusable(CompiledFile file) {
    return file.unusableDonations().stream()
        .map(
            shape ->
                new UnusableDonation(
                    shape, ArrayShape.of(shape).map(ArrayShape::bytes).orElse(null)))
        .toList();
  }

  /** A row of the list of programs. */
  public record ProgramRow(
      int number, String name, @Nullable Long totalBytes, @Nullable Long ownBytes) {}

  static List<ProgramRow> rows(CompiledFile file) {
    List<ProgramRow> rows = new ArrayList<>();
    for (int i = 0; i < Math.min(MOST, file.programs().size()); i++) {
      MemoryUses parts = MemoryUses.of(file.programs().get(i));
      boolean hasParts = !parts.rows().isEmpty();
      rows.add(
          new ProgramRow(
              i,
              file.programs().get(i).name(),
              hasParts ? (Long) parts.totalBytes() : null,
              hasParts ? (Long) parts.ownBytes() : null));
    }
    return rows;
  }
}
