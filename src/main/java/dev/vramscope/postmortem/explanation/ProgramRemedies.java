package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import dev.vramscope.postmortem.explanation.Target.Section;
import dev.vramscope.postmortem.program.MatchedRule;
import dev.vramscope.postmortem.program.ProgramMemory;
import dev.vramscope.postmortem.program.RemedyRule;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The remedies that change the program, by the rules for what its memory is used for. */
final class ProgramRemedies {
  /** More would hide the best. */
  private static final int MOST = 3;

  /** Code between backquotes, and names in braces. */
  private static final Pattern MARKED = Pattern.compile("`([^`]*)`|\\{(line|frame|caller)}");

  private final OomReport report;
  private final ProgramMemory memory;
  private final CodeLines code;

  ProgramRemedies(OomReport report, ProgramMemory memory, CodeLines code) {
    this.report = report;
    this.memory = memory;
    this.code = code;
  }

  /** The best first. */
  List<Remedy> list() {
    return MatchedRule.of(memory, code.stacks(), report.verdict().cause()).stream()
        .limit(MOST)
        .map(this::remedy)
        .toList();
  }

  private Remedy remedy(MatchedRule match) {
    RemedyRule rule = match.rule();
    Sentence.Builder price = new Sentence.Builder();
    append(price, rule.text().price(), match);
    return new Remedy(
        rule.kind().compareTo(RemedyRule.Kind.SAME_RESULTS) <= 0 ? Kind.PROGRAM : Kind.TRADE_OFF,
        match.savedBytes() >= missingBytes() ? Effect.REMOVES_CAUSE : Effect.HELPS,
        action(match),
        Optional.empty(),
        proof(match),
        price.build(),
        /* isEstimated= */ true);
  }

  private long missingBytes() {
    return report.request().isDeviceFreeKnown()
        ? report.request().roundedBytes() - report.availableBytes()
        : 0;
  }

  private Sentence action(MatchedRule match) {
    Sentence.Builder action = new Sentence.Builder();
    append(action, match.rule().text().action(), match);
    action.words(".");
    if (!match.rule().text().since().isEmpty()) {
      action.words(" It needs " + match.rule().text().since() + " or later.");
    }
    return action.build();
  }

  /** "21.8 GiB of the 24 GiB that was needed: results of the forward pass. …". */
  private Sentence proof(MatchedRule match) {
    RemedyRule rule = match.rule();
    Sentence.Builder proof = new Sentence.Builder();
    proof
        .bytes(match.counted().bytes())
        .words(" of the ")
        .bytes(memory.neededBytes(), Section.Name.LEDGER)
        .words(" that was needed: ");
    append(proof, rule.text().what(), match);
    proof.words(".");
    if (match.savedBytes() < match.counted().bytes()) {
      proof.words(" About ").bytes(match.savedBytes()).words(" less with it.");
    }
    RemedyRule.Tried tried = rule.tried();
    if (tried != null) {
      proof
          .words(" In a test program of this kind, the peak fell from ")
          .bytes(tried.before())
          .words(" to ")
          .bytes(tried.after())
          .words(".");
    }
    return proof.build();
  }

  /** Appends a text of a rule, with its code and the lines of this program. */
  private void append(Sentence.Builder sentence, String text, MatchedRule match) {
    Matcher marked = MARKED.matcher(text);
    int at = 0;
    while (marked.find()) {
      sentence.words(text.substring(at, marked.start()));
      at = marked.end();
      if (marked.group(1) != null) {
        sentence.code(marked.group(1));
      } else {
        appendLine(sentence, marked.group(2), match);
      }
    }
    sentence.words(text.substring(at));
  }

  private void appendLine(Sentence.Builder sentence, String name, MatchedRule match) {
    int stack = match.counted().largestStack();
    if (name.equals("frame")) {
      OptionalInt frame = match.frame(code.stacks());
      if (frame.isPresent()) {
        sentence.code(code.nameOfFrame(frame.getAsInt()), Target.Site.of(stack));
        return;
      }
    }
    if (stack == StackTable.NONE) {
      sentence.words("code without a recorded stack");
    } else {
      code.append(sentence, name.equals("caller") ? memory.modelCaller(stack) : stack);
    }
  }
}
