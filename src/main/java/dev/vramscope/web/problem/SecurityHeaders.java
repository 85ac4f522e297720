package dev.vramscope.web.problem;

import dev.vramscope.web.request.EntityTags;
import java.util.List;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.writers.CompositeHeaderWriter;
import org.springframework.security.web.header.writers.ContentSecurityPolicyHeaderWriter;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.header.writers.XContentTypeOptionsHeaderWriter;

/** The security headers of every response, also of a request that reaches no controller. */
public final class SecurityHeaders {
  public static final HeaderWriter ALWAYS =
      new CompositeHeaderWriter(
          List.of(
              new ContentSecurityPolicyHeaderWriter(
                  "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none';"
                      + " form-action 'self'; frame-ancestors 'none'"),
              new XContentTypeOptionsHeaderWriter(),
              new StaticHeadersWriter("X-Frame-Options", "DENY"),
              new StaticHeadersWriter("Referrer-Policy", "same-origin"),
              new StaticHeadersWriter("Cross-Origin-Opener-Policy", "same-origin"),
              new StaticHeadersWriter("Cross-Origin-Resource-Policy", "same-origin")));

  /**
   * After a logout, the browser has no copy of a page. Answers with a policy of their own keep it:
   * resources, and the chart data of {@link EntityTags}.
   */
  public static final HeaderWriter NOT_STORED =
      new StaticHeadersWriter("Cache-Control", "no-store");

  private SecurityHeaders() {}
}
