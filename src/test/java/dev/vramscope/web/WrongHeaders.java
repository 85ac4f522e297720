package dev.vramscope.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Values that hardly any header of a request may have. */
final class WrongHeaders {
  /** The longest value of a parameter and it are less than the 8 KiB that a head may have. */
  private static final String LONG = "x".repeat(2000);

  private static final List<String> OF_EVERY_HEADER = List.of("", "*", ",;,=\"", "-1", LONG);

  /** Headers that may decide the answer before the endpoint has read its parameters. */
  private static final Map<String, List<String>> DECISIVE =
      Map.of(
          "Accept",
              List.of(
                  "*/*;q=2",
                  "text",
                  "text/html;q=x",
                  "image/*",
                  "application/*;",
                  "a/b,".repeat(400)),
          "If-None-Match", List.of("W/", "\"", "W/\"a\", \"b", "\"x\",".repeat(400)),
          "If-Match", List.of("\"a"),
          "If-Modified-Since", List.of("yesterday", "Thu, 99 Foo 99999 99:99:99 GMT"),
          "If-Unmodified-Since", List.of("Thu, 01 Jan 1970 00:00:00 GMT"),
          "Range",
              List.of(
                  "bytes=",
                  "bytes=5-1",
                  "bytes=-99999999999999999999",
                  "bytes=0-0," + "1-1,".repeat(400)),
          "If-Range", List.of("\"a"),
          "Authorization", List.of("Bearer", "Basic !", "Basic eDp5", "Digest a=\""),
          "Content-Type",
              List.of("/", "text/plain;charset=no-such", "text/html;charset=\"", "a/b;" + LONG));

  /** Headers that endpoints look at beside their parameters, or that no endpoint should look at. */
  private static final Map<String, List<String>> OTHER =
      Map.of(
          "Accept-Language", List.of("xx-", "de;q=NaN", "en-US-x-" + "a-".repeat(400)),
          "Accept-Encoding", List.of("gzip;q=x", "identity;q=0"),
          "Content-Encoding", List.of("gzip", "br", "identity,gzip"),
          "Origin", List.of("null", "http://[", "http://a:99999", "http://?#"),
          "Referer", List.of("http://[", "//", "/snapshots?%zz", "javascript:x"),
          "Forwarded", List.of("for=", "for=\"[::1\";proto=x;host=a:b", "host=\"" + LONG),
          "X-Forwarded-Host", List.of("a:99999", "[::1", "a b", "a,b,"),
          "X-Forwarded-Port", List.of("99999", "80,x", "99999999999999999999"),
          "X-Forwarded-Proto", List.of("javascript", "https,http"),
          "Cookie",
              List.of("=", "vramscope-session=", "vramscope-session=../..", "a=b;".repeat(400)));

  /** Header lines that the client of the JDK does not send. */
  static final List<String> RAW_LINES =
      List.of(
          "Expect: 100-continue",
          "Expect: 200-maybe",
          "Transfer-Encoding: foo",
          "Transfer-Encoding: chunked, gzip",
          "Content-Length: -1",
          "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA",
          "Accept: \u0001",
          "Cookie: a=\u0007; vramscope-session=\u00ff",
          "Authorization: Bearer \u00ff\u0000",
          "Referer: \u00e9\t\u007f",
          "If-None-Match: \"\u00ff\"",
          "X: a\r\n folded",
          "No-Colon",
          ": no name",
          "X\u00ff: a",
          LONG + ": a");

  private static final List<List<String>> ALL = listed(List.of(DECISIVE, OTHER));

  private static final List<List<String>> BESIDE_PARAMETERS = listed(List.of(OTHER));

  private WrongHeaders() {}

  /** The name and the value of one of the headers, for a request without a parameter. */
  static List<String> any(int number) {
    return ALL.get(number % ALL.size());
  }

  /** The name and the value of one of those headers that leave the answer to the parameters. */
  static List<String> besideParameters(int number) {
    return BESIDE_PARAMETERS.get(number % BESIDE_PARAMETERS.size());
  }

  /**
   * All in a mixed but constant order: requests that follow one another differ in their headers.
   */
  private static List<List<String>> listed(List<Map<String, List<String>>> maps) {
    List<List<String>> headers = new ArrayList<>();
    for (Map<String, List<String>> map : maps) {
      for (Map.Entry<String, List<String>> header : new TreeMap<>(map).entrySet()) {
        for (List<String> values : List.of(header.getValue(), OF_EVERY_HEADER)) {
          values.forEach(value -> headers.add(List.of(header.getKey(), value)));
        }
      }
    }
    Collections.shuffle(headers, new Random(1));
    return List.copyOf(headers);
  }
}
