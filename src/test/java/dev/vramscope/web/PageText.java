package dev.vramscope.web;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The body of an answer as text. A page is without the white space that HTML ignores: it depends on
 * how a template is formatted, which no test may depend on.
 */
final class PageText {
  /** Elements whose white space is content. */
  private static final Pattern AS_WRITTEN =
      Pattern.compile("(?s)<(pre|textarea|script)\\b.*?</\\1\\s*>");

  /** The value of an attribute, in group 1, or white space. */
  private static final Pattern VALUE_OR_SPACE = Pattern.compile("(=\"[^\"]*\")|\\s+");

  private static final Pattern BLOCK =
      Pattern.compile(
          " ?(</?(?:html|head|body|main|header|footer|section|article|aside|nav|div|p|ul|ol|li|dl|dt"
              + "|dd|table|caption|thead|tbody|tfoot|tr|td|th|h1|h2|h3|h4|form|fieldset|figure"
              + "|figcaption|details|summary|option|optgroup|datalist|title|meta|link|noscript)(?:"
              + " [^>]*)?>) ?");

  private PageText() {}

  static String of(HttpResponse<byte[]> answer) {
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    boolean isPage = answer.headers().firstValue("Content-Type").orElse("").startsWith("text/html");
    return isPage ? ofPage(text) : text;
  }

  static String ofPage(String html) {
    StringBuilder text = new StringBuilder(html.length());
    int end = 0;
    for (Matcher kept = AS_WRITTEN.matcher(html); kept.find(); end = kept.end()) {
      text.append(joined(html.substring(end, kept.start())));
      text.append(kept.group().replaceFirst("\\s+>$", ">"));
    }
    return text.append(joined(html.substring(end))).toString();
  }

  private static String joined(String html) {
    String line =
        VALUE_OR_SPACE
            .matcher(html)
            .replaceAll(found -> found.group(1) == null ? " " : "$1")
            .replaceAll(" ?/?>", ">");
    return BLOCK.matcher(line).replaceAll("$1");
  }
}
