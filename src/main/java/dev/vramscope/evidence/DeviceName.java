package dev.vramscope.evidence;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a device, which tells its nominal memory. Programs see less: the driver keeps some of
 * it, and error correction may take more. How much depends on driver and settings, so that a name
 * never gives the exact size.
 *
 * @param name as written
 * @param nominalBytes the memory that the device is sold with, in units of 2^30 bytes
 */
public record DeviceName(String name, long nominalBytes) implements Evidence {
  private static final int MAX_LENGTH = 120;

  /** "A100-SXM4-40GB", "NVIDIA H100 80GB HBM3", "MI300X 192 GB". */
  private static final Pattern WITH_SIZE = Pattern.compile("\\b([0-9]{1,3}) ?GB\\b");

  private static final Pattern VENDOR =
      Pattern.compile("(?i)\\b(nvidia|geforce|tesla|quadro|rtx|gtx|titan|amd|instinct|radeon)\\b");

  /** A model that is sold with one size of memory only, according to its vendor's data sheet. */
  private record Model(Pattern pattern, int gigabytes) {
    static Model of(String name, int gigabytes) {
      return new Model(Pattern.compile("(?i)(?:^|[^a-z0-9])" + name + "(?![a-z0-9])"), gigabytes);
    }
  }

  /** Sizes that names do not contain. */
  private static final List<Model> MODELS =
      List.of(
          Model.of("H200(?: NVL)?", 141),
          Model.of("H100 NVL", 94),
          Model.of("H100(?: PCIe)?", 80),
          Model.of("H800(?: PCIe)?", 80),
          Model.of("L40S?", 48),
          Model.of("L4", 24),
          Model.of("A40", 48),
          Model.of("A30", 24),
          Model.of("A10G?", 24),
          Model.of("T4", 16),
          Model.of("(?:Tesla )?P40", 24),
          Model.of("RTX 6000 Ada(?: Generation)?", 48),
          Model.of("RTX A6000", 48),
          Model.of("RTX A5500", 24),
          Model.of("RTX A5000", 24),
          Model.of("RTX A4500", 20),
          Model.of("RTX A4000", 16),
          Model.of("RTX 5090", 32),
          Model.of("RTX 5080", 16),
          Model.of("RTX 4090", 24),
          Model.of("RTX 4080(?: SUPER)?", 16),
          Model.of("RTX 4070(?: Ti)?", 12),
          Model.of("RTX 4070 Ti SUPER", 16),
          Model.of("RTX 3090(?: Ti)?", 24),
          Model.of("RTX 3080 Ti", 12),
          Model.of("RTX 3070(?: Ti)?", 8),
          Model.of("RTX 3060 Ti", 8),
          Model.of("RTX 2080 Ti", 11),
          Model.of("RTX 2080(?: SUPER)?", 8),
          Model.of("GTX 1080 Ti", 11),
          Model.of("GTX 1080", 8),
          Model.of("MI300X", 192));

  /** Laptops have other sizes under the same names. */
  private static final Pattern LAPTOP = Pattern.compile("(?i)\\b(laptop|mobile|max-q)\\b");

  /** Parses a text of one line; empty if it is no name of a device whose memory is known. */
  static Optional<Evidence> parse(String text) {
    String name = text.strip();
    if (name.isEmpty() || name.length() > MAX_LENGTH || name.contains("\n")) {
      return Optional.empty();
    }
    boolean isLaptop = LAPTOP.matcher(name).find();
    Optional<Model> model =
        MODELS.stream()
            .filter(each -> !isLaptop && each.pattern.matcher(name).find())
            .reduce((best, next) -> matched(next, name) > matched(best, name) ? next : best);
    Matcher size = WITH_SIZE.matcher(name.toUpperCase(Locale.ROOT));
    int gigabytes = 0;
    while (size.find()) {
      gigabytes = Integer.parseInt(size.group(1)); // The last is that of a part: "MIG 3g.40gb".
    }
    if (gigabytes > 0 && (model.isPresent() || isDevice(name))) {
      return Optional.of(of(name, gigabytes));
    }
    return model.map(match -> of(name, match.gigabytes));
  }

  private static DeviceName of(String name, int gigabytes) {
    return new DeviceName(name, (long) gigabytes << 30);
  }

  /** How much of the name a model explains: "RTX 4070 Ti SUPER" more than "RTX 4070 Ti". */
  private static int matched(Model model, String name) {
    Matcher matcher = model.pattern.matcher(name);
    return matcher.find() ? matcher.end() - matcher.start() : 0;
  }

  private static boolean isDevice(String name) {
    return VENDOR.matcher(name).find()
        || name.matches("(?i).*\\b(?:[ABHLPTV][0-9]{2,3}[A-Z]?|GB?[BH]?200|MI[0-9]{3}[A-Z]?)\\b.*");
  }
}
