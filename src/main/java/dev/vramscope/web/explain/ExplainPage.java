package dev.vramscope.web.explain;

import dev.vramscope.intake.DuplicateTags;
import dev.vramscope.intake.UploadRequest;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.request.MetadataParameters;
import dev.vramscope.web.uploads.UploadApi;
import dev.vramscope.web.uploads.UploadFileName;
import dev.vramscope.work.WorkKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Takes a pasted log or a file with one, and leads to its explanation. */
@Controller
class ExplainPage {
  private final StoredLogs logs;
  private final ProblemAdvice advice;

  ExplainPage(StoredLogs logs, ProblemAdvice advice) {
    this.logs = logs;
    this.advice = advice;
  }

  /** The address for the command on the page. */
  @ModelAttribute("service")
  String service() {
    return ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
  }

  @GetMapping("/explain")
  String show() {
    return "explain";
  }

  /** One that is not kept is explained at once, and has no link. */
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/explain")
  String explain(
      @RequestParam(defaultValue = "") String text,
      @RequestParam(required = false) @Nullable MultipartFile file,
      @RequestParam(defaultValue = "true") boolean store,
      @RequestParam MultiValueMap<String, String> fields,
      Model model,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    MultipartFile chosen = file == null || file.isEmpty() ? null : file;
    try (InputStream body =
        chosen != null
            ? chosen.getInputStream()
            : new ByteArrayInputStream(lines(text).getBytes(StandardCharsets.UTF_8))) {
      String where = chosen != null ? "the file" : "the text";
      MetadataParameters metadata = new MetadataParameters(Map.copyOf(fields));
      String fileName = chosen != null ? UploadFileName.ofPath(chosen.getOriginalFilename()) : null;
      String name = metadata.name() == null ? fileName : metadata.name();
      SubmittedLog log =
          store
              ? logs.keep(
                  body,
                  where,
                  new UploadRequest(
                      name, metadata.tags(), DuplicateTags.ADD, /* declaredLength= */ -1),
                  UploadApi.client(request))
              : logs.explain(body, where);
      if (log.stored().isPresent()) {
        return "redirect:/logs/" + log.stored().get().id();
      }
      model.addAttribute("name", name == null ? "" : name);
      model.addAttribute("lines", log.log().lines());
      model.addAttribute("notStored", log.notStored().orElse(""));
      model.addAttribute("explanation", LogExplanationView.of(log.explanation()));
    } catch (RefusedRequestException refused) {
      advice.show(refused, model, response);
      model.addAttribute("text", text);
    }
    return "explain";
  }

  /** Browsers send the lines of a field with the line ends of Windows. */
  private static String lines(String text) {
    return text.replace("\r\n", "\n");
  }
}
