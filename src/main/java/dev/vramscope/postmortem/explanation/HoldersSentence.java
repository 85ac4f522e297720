package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.sites.HeldSites;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.explanation.Target.Section.Name;
import dev.vramscope.postmortem.program.ProgramMemory;
import dev.vramscope.postmortem.program.ProgramPart;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The sentence about who holds the memory: the largest sites with their shares. */
final class HoldersSentence {
  /** A line with less than this share is one of many. */
  private static final double STANDS_OUT = 0.1;

  private final HeldSites held;
  private final CodeLines code;
  private final AllocatorFacts facts;
  private final long liveBytes;
  private final long outsideBytes;
  private final Optional<ProgramMemory> program;

  /**
   * The facts.
   *
   * @param held the sites at that moment
   * @param liveBytes of all blocks that the program holds, after rounding
   * @param outsideBytes held outside the allocator, to mention; 0 if it is little or unknown
   */
  HoldersSentence(
      HeldSites held, CodeLines code, AllocatorFacts facts, long liveBytes, long outsideBytes) {
    this(held, code, facts, liveBytes, outsideBytes, Optional.empty());
  }

  private HoldersSentence(
      HeldSites held,
      CodeLines code,
      AllocatorFacts facts,
      long liveBytes,
      long outsideBytes,
      Optional<ProgramMemory> program) {
    this.program = program;
    this.held = held;
    this.code = code;
    this.facts = facts;
    this.liveBytes = liveBytes;
    this.outsideBytes = outsideBytes;
  }

  /**
   * Says of the largest site also which function calls its model, and which line of a library
   * explains most of its bytes.
   */
  HoldersSentence within(ProgramMemory program) {
    return new HoldersSentence(held, code, facts, liveBytes, outsideBytes, Optional.of(program));
  }

  /** "At that moment the program held 13.09 GiB: 35 % allocated by forward (model.py:18), …". */
  Sentence at(String moment) {
    Sentence.Builder text = program(moment);
    if (outsideBytes > 0) {
      text.words(" ")
          .bytes(outsideBytes, Name.LEDGER)
          .words(" of the GPU was held ")
          .term("outside", "outside the allocator")
          .words(".");
    }
    return text.build();
  }

  private Sentence.Builder program(String moment) {
    if (liveBytes == 0) {
      return Sentence.of(moment + " the program held no memory of this allocator.");
    }
    Sentence.Builder text =
        Sentence.of(moment + " the program held ").bytes(liveBytes, Name.LEDGER);
    if (!code.isAnyRecorded()) {
      return text.words(
          ". The recording has no stacks, so it does not show which code holds it" + howToKnow());
    }
    if (held.largest().isEmpty()) {
      return text.words(". The recording does not show which code holds it.");
    }
    if (held.largest().size() == 1 && held.otherSiteCount() == 0) {
      append(text.words(", all of it allocated by "), held.largest().getFirst());
      return text.words(".");
    }
    text.words(": ");
    int last = held.largest().size() - 1;
    for (int index = 0; index <= last; index++) {
      boolean isEnd = index == last && held.otherSiteCount() == 0;
      text.words(index == 0 ? "" : isEnd ? " and " : ", ");
      HeldSites.Held site = held.largest().get(index);
      append(text.words(share(site.bytes()) + (index == 0 ? " allocated by " : " by ")), site);
      if (index == 0) {
        appendContext(text, site);
      }
    }
    if (held.otherSiteCount() > 0) {
      text.words(" and the rest by ").counted(held.otherSiteCount(), "other line");
      if (held.largest().getFirst().bytes() < STANDS_OUT * held.bytes()) {
        text.words(". No line stands out");
      }
    }
    return text.words(".");
  }

  /** " (called by validate (train.py:16); mostly in eager_attention_forward (…))". */
  private void appendContext(Sentence.Builder text, HeldSites.Held site) {
    if (program.isEmpty() || site.stack() == StackTable.NONE) {
      return;
    }
    int caller = program.get().modelCaller(site.stack());
    boolean hasCaller = !code.isSameLine(caller, site.stack());
    OptionalInt library = mostInLibrary(program.get(), site);
    if (!hasCaller && library.isEmpty()) {
      return;
    }
    text.words(" (");
    if (hasCaller) {
      code.append(text.words("called by "), caller);
    }
    if (library.isPresent()) {
      text.words(hasCaller ? "; mostly in " : "mostly in ")
          .code(code.nameOfFrame(library.getAsInt()));
    }
    text.words(")");
  }

  /** The line of a library that has allocated at least half of a site's bytes. */
  private OptionalInt mostInLibrary(ProgramMemory memory, HeldSites.Held site) {
    Map<String, Long> bytes = new HashMap<>();
    Map<String, Integer> lines = new HashMap<>();
    memory
        .part(ProgramPart.LIVE)
        .byStack()
        .forEach(
            (stack, live) -> {
              if (code.isSameLine(stack, site.stack())) {
                code.libraryLine(stack)
                    .ifPresent(
                        line -> {
                          String name = code.nameOfFrame(line);
                          bytes.merge(name, live, Long::sum);
                          lines.putIfAbsent(name, line);
                        });
              }
            });
    return bytes.entrySet().stream()
        .filter(entry -> 2 * entry.getValue() >= site.bytes())
        .mapToInt(entry -> lines.getOrDefault(entry.getKey(), StackTable.NONE))
        .findFirst();
  }

  private String howToKnow() {
    if (facts.isRecorded()) {
      return ".";
    }
    return switch (facts.family()) {
      case CACHING -> "; PyTorch records them with stacks=\"all\".";
      case BFC -> "; a device memory profile of JAX does.";
      case DIRECT, UNRECORDED -> ".";
    };
  }

  private void append(Sentence.Builder text, HeldSites.Held site) {
    if (site.stack() != StackTable.NONE) {
      code.append(text, site.stack());
    } else if (site.isBeforeRecording()) {
      text.link("code that ran before the recording began", Target.Site.beforeRecording());
    } else if (!facts.family().isCaching()) {
      text.link("code that was not recorded", Target.Site.withoutStack());
    } else {
      text.term("autograd-thread", "autograd's thread")
          .words(" (")
          .link("no stack recorded", Target.Site.withoutStack())
          .words(")");
    }
  }

  /** Whole percent of the held bytes. */
  private String share(long bytes) {
    double percent = 100.0 * bytes / held.bytes();
    return percent < 1 ? "under 1 %" : String.format(Locale.ROOT, "%.0f %%", percent);
  }
}
