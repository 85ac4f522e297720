package dev.vramscope.web.snapshot;

import dev.vramscope.live.DeviceChoice;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import org.springframework.web.util.UriComponentsBuilder;

/** Links to the page on which a snapshot is replayed on a live allocator. */
public final class ReplayLink {
  private ReplayLink() {}

  /** The list of allocators, with a form for one like that of the snapshot. */
  static String of(String id, Snapshot snapshot, DeviceSnapshot device) {
    UriComponentsBuilder url = UriComponentsBuilder.fromPath("/live").queryParam("replay", id);
    AllocatorFacts facts = device.facts();
    if (facts.isRecorded()) {
      String size = new DeviceChoice.Sim(facts.deviceBytes().getAsLong()).toString();
      url.queryParam("device", "{device}").queryParam("kind", facts.family().id());
      return url.encode().buildAndExpand(size).toUriString();
    }
    String settings = snapshot.configuration();
    if (settings.isEmpty()) {
      return url.toUriString();
    }
    url.queryParam("settings", "{settings}");
    return url.encode().buildAndExpand(settings).toUriString();
  }

  /** The form of an allocator that starts the replay. */
  public static String on(long allocator, String id) {
    return "/live/" + allocator + "?workload=replay-snapshot&snapshot=" + id + "#run-workload";
  }
}
