package dev.vramscope.web.request;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Parameters of a page's URL that its forms and links keep. Before the scripts of a page are loaded
 * a form is submitted to the server: the page that follows shows the same as the one that the
 * scripts would have changed in place.
 */
public record KeptParameters(SequencedMap<String, String> values) {
  /** The parameters with these names that a request has. */
  public static KeptParameters of(HttpServletRequest request, String... names) {
    SequencedMap<String, String> values = new LinkedHashMap<>();
    for (String name : names) {
      String value = request.getParameter(name);
      if (value != null && !value.isBlank()) {
        values.put(name, value);
      }
    }
    return new KeptParameters(values);
  }

  /** The parameters to keep in a form that has a field with this name itself. */
  public KeptParameters without(String name) {
    SequencedMap<String, String> others = new LinkedHashMap<>(values);
    others.remove(name);
    return new KeptParameters(others);
  }

  /** The query of a URL with these parameters, one of them changed. */
  public String with(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(name, value);
    UriComponentsBuilder query = UriComponentsBuilder.newInstance();
    changed.keySet().forEach(each -> query.queryParam(each, "{" + each + "}"));
    return query.encode().buildAndExpand(changed).toUriString();
  }
}
