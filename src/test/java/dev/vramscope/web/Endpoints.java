package dev.vramscope.web;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Every endpoint of a service: those of the REST API and the pages. */
final class Endpoints {
  /**
   * One endpoint.
   *
   * @param pattern its path, with variables in braces
   * @param parameters the names of its parameters, in the query or a form
   */
  record Endpoint(String method, String pattern, List<String> parameters) {
    boolean isGet() {
      return method.equals("GET");
    }

    @Override
    public String toString() {
      return method + " " + pattern;
    }
  }

  private Endpoints() {}

  /** All, by path. */
  static List<Endpoint> of(LocalServer server) {
    List<Endpoint> endpoints = new ArrayList<>();
    server
        .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .forEach((info, handler) -> endpoints.addAll(of(info, handler)));
    endpoints.sort(Comparator.comparing(Endpoint::pattern).thenComparing(Endpoint::method));
    return endpoints;
  }

  private static List<Endpoint> of(RequestMappingInfo info, HandlerMethod handler) {
    List<Endpoint> endpoints = new ArrayList<>();
    List<String> parameters = parameters(handler);
    for (RequestMethod method : info.getMethodsCondition().getMethods()) {
      for (String pattern : info.getPatternValues()) {
        endpoints.add(new Endpoint(method.name(), pattern, parameters));
      }
    }
    return endpoints;
  }

  private static List<String> parameters(HandlerMethod handler) {
    Set<String> names = new LinkedHashSet<>();
    for (MethodParameter parameter : handler.getMethodParameters()) {
      RequestParam named = parameter.getParameterAnnotation(RequestParam.class);
      Class<?> type = parameter.getParameterType();
      if (named != null && !MapParameters.isMap(parameter.getParameter())) {
        String name = named.name().isEmpty() ? named.value() : named.name();
        names.add(name.isEmpty() ? String.valueOf(parameter.getParameter().getName()) : name);
      } else if (type.isRecord() && parameter.getParameterAnnotations().length == 0) {
        for (RecordComponent component : type.getRecordComponents()) {
          names.add(component.getName());
        }
      }
    }
    names.addAll(MapParameters.of(handler.getMethod()));
    return List.copyOf(names);
  }
}
