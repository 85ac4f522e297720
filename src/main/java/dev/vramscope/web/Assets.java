package dev.vramscope.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The hashed file names of the script and the style sheets, from the build's manifest. */
@Component
final class Assets {
  private static final String ENTRY = "src/pages/app.ts";

  private final List<String> scripts;
  private final List<String> styles;

  Assets(JsonMapper json) throws IOException {
    ClassPathResource manifest = new ClassPathResource("static/app/manifest.json");
    if (!manifest.exists()) { // Built with -Dfrontend.skip: pages have no style or script.
      scripts = List.of();
      styles = List.of();
      return;
    }
    try (InputStream stream = manifest.getInputStream()) {
      JsonNode entry = json.readTree(stream).path(ENTRY);
      scripts = List.of("/app/" + entry.path("file").asString());
      styles = entry.path("css").valueStream().map(sheet -> "/app/" + sheet.asString()).toList();
    }
  }

  public List<String> scripts() {
    return scripts;
  }

  public List<String> styles() {
    return styles;
  }
}
