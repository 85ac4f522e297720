package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.ProfileMatch;
import dev.vramscope.analysis.ledger.ProfileMatch.Compared;
import dev.vramscope.analysis.series.LiveMemory;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import java.util.Objects;

/**
 * A dump and a device memory profile that was compared with it.
 *
 * @param device the number of the device in the profile
 * @param sites what the arrays of the profile were allocated by
 */
record ProfiledDump(
    StoredSnapshot dump, StoredSnapshot profile, int device, Compared compared, LiveMemory sites) {
  /** Whether two snapshots have the same job, rank and host, or none. */
  static boolean haveSameProcess(Tags a, Tags b) {
    return Objects.equals(a.job(), b.job())
        && Objects.equals(a.rank(), b.rank())
        && Objects.equals(a.host(), b.host());
  }

  /** What the tags say about the processes of both: the end of a sentence. */
  String tagText() {
    if (!haveSameProcess(dump.tags(), profile.tags())) {
      return "their tags name different processes";
    }
    return dump.tags().job() == null && dump.tags().host() == null
        ? "neither is tagged with a job or a host"
        : "both are tagged with the same job, rank and host, and nothing in them says more";
  }

  boolean fits() {
    return compared instanceof Compared.Fits;
  }

  /** Bytes of the pool that the profile names; 0 if it does not fit. */
  long chunkBytes() {
    return compared instanceof Compared.Fits(ProfileMatch match) ? match.chunkBytes() : 0;
  }
}
