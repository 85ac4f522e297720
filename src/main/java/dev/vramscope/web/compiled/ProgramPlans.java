package dev.vramscope.web.compiled;

import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.MemoryUses;
import dev.vramscope.compiled.scaling.ProgramPlan;
import dev.vramscope.compiled.scaling.ProgramsRefusedException;
import dev.vramscope.compiled.scaling.SameFunction;
import dev.vramscope.compiled.scaling.SizedProgram;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;

/** Answers plans from compiled programs. */
@Component
final class ProgramPlans {
  private final StoredPrograms programs;

  ProgramPlans(StoredPrograms programs) {
    this.programs = programs;
  }

  /**
   * The programs that a form names.
   *
   * @throws RefusedRequestException if one is not stored, or is something else
   */
  List<ChosenProgram> chosen(ProgramPlanForm form) throws IOException {
    List<ChosenProgram> chosen = new ArrayList<>();
    for (String reference : form.programs()) {
      int colon = reference.lastIndexOf(':');
      String id = colon < 0 ? reference : reference.substring(0, colon);
      StoredSnapshot stored = programs.find(id);
      CompiledFile file = programs.read(id);
      if (colon >= 0) {
        String number = reference.substring(colon + 1);
        if (!number.matches("[0-9]{1,6}")) {
          throw RefusedRequestException.badParameter(
              "program", reference, "ID:NUMBER, such as 4f2c9a1be0d7:0, or ID");
        }
        int index = Integer.parseInt(number);
        CompiledProgram program = StoredPrograms.program(file, index, "program");
        chosen.add(new ChosenProgram(stored, index, program, file.platform()));
      } else {
        addAlike(stored, file, chosen);
      }
    }
    if (chosen.size() > ProgramPlan.MOST_PROGRAMS) {
      throw RefusedRequestException.badParameter(
          "program", chosen.size() + " programs", "2 to " + ProgramPlan.MOST_PROGRAMS);
    }
    return chosen;
  }

  /** The first program, and those that have its name up to numbers: the sizes of one function. */
  private static void addAlike(
      StoredSnapshot stored, CompiledFile file, List<ChosenProgram> chosen) {
    String name = "";
    for (int i = 0; i < file.programs().size(); i++) {
      CompiledProgram program = file.programs().get(i);
      String own = SameFunction.nameWithoutNumbers(program.name());
      name = i == 0 ? own : name;
      if (own.equals(name) && !MemoryUses.of(program).rows().isEmpty()) {
        chosen.add(new ChosenProgram(stored, i, program, file.platform()));
      }
    }
  }

  /** The form with each program by number, and with guesses where nothing is entered. */
  static ProgramPlanForm completed(ProgramPlanForm form, List<ChosenProgram> chosen) {
    List<String> references = chosen.stream().map(ChosenProgram::reference).toList();
    if (chosen.isEmpty() || form.hasValues()) {
      return form.with(references, form.values(), form.name().isEmpty() ? "batch" : form.name());
    }
    GuessedValues guess = GuessedValues.of(chosen);
    return form.with(
        references, guess.values(), form.name().isEmpty() ? guess.name() : form.name());
  }

  /**
   * The plan of the programs that have a value.
   *
   * @param form with its programs one by one
   * @throws RefusedRequestException if it cannot be planned
   */
  static ProgramPlan plan(ProgramPlanForm form, List<ChosenProgram> chosen) {
    try {
      return ProgramPlan.of(sized(form, chosen));
    } catch (ProgramsRefusedException refused) {
      throw RefusedRequestException.notPlannable(
          String.valueOf(refused.getMessage()), refused.advice());
    }
  }

  private static List<SizedProgram> sized(ProgramPlanForm form, List<ChosenProgram> chosen) {
    if (form.values().size() > chosen.size()) {
      throw RefusedRequestException.badParameter(
          "value",
          form.values().size() + " values for " + chosen.size() + " programs",
          "one value for each program, in the same order; an empty one leaves a program out");
    }
    List<SizedProgram> sized = new ArrayList<>();
    for (int i = 0; i < chosen.size(); i++) {
      OptionalLong value = form.value(i);
      if (value.isPresent()) {
        ChosenProgram each = chosen.get(i);
        sized.add(new SizedProgram(each.name(), value.getAsLong(), each.program()));
      }
    }
    return sized;
  }

  /** The answer to a form as it was entered. */
  ProgramPlanView answer(ProgramPlanForm form) throws IOException {
    List<ChosenProgram> chosen = chosen(form);
    ProgramPlanForm completed = completed(form, chosen);
    return view(completed, chosen, plan(completed, chosen));
  }

  static ProgramPlanView view(ProgramPlanForm form, List<ChosenProgram> chosen, ProgramPlan plan) {
    return ProgramPlanView.of(
        plan, form.name(), chosen, form.askedValues(), form.memoryBytes(), form.othersBytes());
  }
}
