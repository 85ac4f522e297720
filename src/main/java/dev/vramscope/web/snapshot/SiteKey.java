package dev.vramscope.web.snapshot;

import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.StackClasses;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The site that a parameter selects: one of its stacks, or {@code none} or {@code before} for the
 * allocations without a stack, those of the recording and those from before it.
 */
public final class SiteKey {
  private static final Pattern STACK = Pattern.compile("[0-9]{1,9}");

  private SiteKey() {}

  /** The parameter that selects the site with this stack; 0 if its allocations have none. */
  static String of(int stack, boolean isBeforeRecording) {
    return stack != 0 ? "" + stack : isBeforeRecording ? "before" : "none";
  }

  /** The row of the site; null if there is none. */
  public static Sites.@Nullable Row find(String key, Sites sites, StackClasses stacks) {
    return sites.rows().stream().filter(row -> isOf(key, row, stacks)).findFirst().orElse(null);
  }

  private static boolean isOf(String key, Sites.Row row, StackClasses stacks) {
    if (key.equals("none") || key.equals("before")) {
      return row.frame() == null && row.beforeRecording() == key.equals("before");
    }
    if (!STACK.matcher(key).matches()) {
      return false;
    }
    int stack = Integer.parseInt(key);
    return stack > 0 && stack < stacks.stacks().nodeCount() && row.isSiteOf(stack, stacks);
  }
}
