package dev.vramscope.web.sites;

import dev.vramscope.analysis.sites.SiteGrowth;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.inspection.DeviceInspection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Small curves of the live bytes of sites, as SVG paths in a box of {@link #WIDTH} by 20. */
final class SiteCurves {
  static final int WIDTH = 60;

  private static final double HEIGHT = 20;

  private final Map<Sites.Row, Curve> curves = new HashMap<>();

  /**
   * The curve of a site.
   *
   * @param path an area, scaled to the site's own largest sample
   * @param mostBytes the largest sample
   */
  record Curve(String path, long mostBytes) {}

  SiteCurves(List<Sites.Row> sites, DeviceInspection device, StackClasses stacks) {
    SiteGrowth growth =
        SiteGrowth.of(sites, device.lifetimes(), stacks, device.device().trace().size(), WIDTH);
    for (int site = 0; site < sites.size(); site++) {
      curves.put(sites.get(site), curve(growth, site));
    }
  }

  public Curve of(Sites.Row site) {
    Curve curve = curves.get(site);
    if (curve == null) {
      throw new IllegalArgumentException("a site that is not in the list: " + site);
    }
    return curve;
  }

  private static Curve curve(SiteGrowth growth, int site) {
    long most = growth.mostBytes(site);
    StringBuilder path = new StringBuilder("M0,20");
    double column = growth.sampleCount() == 0 ? 0 : 1.0 * WIDTH / growth.sampleCount();
    for (int sample = 0; sample < growth.sampleCount(); sample++) {
      double share = most == 0 ? 0 : 1.0 * growth.bytes(site, sample) / most;
      path.append('V').append(Math.round(10 * HEIGHT * (1 - share)) / 10.0);
      path.append('H').append(Math.round(10 * column * (sample + 1)) / 10.0);
    }
    return new Curve(path.append("V20Z").toString(), most);
  }
}
