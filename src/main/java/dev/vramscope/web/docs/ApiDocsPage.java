package dev.vramscope.web.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.vramscope.web.problem.AcceptHeader;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.web.security.WebSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import org.springdoc.webmvc.api.OpenApiWebMvcResource;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import tools.jackson.databind.json.JsonMapper;

/** The reference of the REST API: a page for a browser, the OpenAPI document for other clients. */
@Controller
class ApiDocsPage {
  private static final String PATH = "/api/docs";

  /** The path of the document itself, which springdoc serves. */
  private static final String DOCUMENT = "/api/docs.json";

  private final OpenApiWebMvcResource openApi;
  private final JsonMapper json;
  private final boolean needsToken;

  ApiDocsPage(OpenApiWebMvcResource openApi, JsonMapper json, WebSettings settings) {
    this.openApi = openApi;
    this.json = json;
    needsToken = settings.token() != null;
  }

  @Immediate
  @GetMapping(PATH)
  String show(HttpServletRequest request, HttpServletResponse response, Model model)
      throws JsonProcessingException {
    response.setHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT);
    if (!AcceptHeader.namesHtml(request)) {
      return "forward:" + DOCUMENT;
    }
    byte[] document = openApi.openapiJson(request, PATH, Locale.ENGLISH);
    String service = ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
    model.addAttribute("api", new OpenApiReader(json, document, service, needsToken).read());
    model.addAttribute("needsToken", needsToken);
    return "api-docs";
  }
}
