package dev.vramscope.store.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StoredSnapshotTest {
  @Test
  void totalsAreMembersOfTheSnapshotInJson() {
    StoredSnapshot stored =
        new StoredSnapshot(
            "0123456789abcdef",
            "snapshot.pickle",
            Tags.NONE,
            Instant.EPOCH,
            "0123456789abcdef",
            1,
            2,
            "pickle",
            "PyTorch",
            new StoredSnapshot.Totals(1, 2, 3, 4, 5, 6, null, 7, null),
            new FailureAnswer("fragmentation", "Ask for less."));

    JsonNode json = new JsonMapper().valueToTree(stored);

    assertThat(json.propertyNames())
        .containsExactly(
            "id",
            "name",
            "tags",
            "uploaded",
            "sha256",
            "originalBytes",
            "storedBytes",
            "format",
            "producer",
            "deviceCount",
            "eventCount",
            "segmentCount",
            "blockCount",
            "reservedBytes",
            "allocatedBytes",
            "peakBytes",
            "oomCount",
            "findingCount",
            "answer");
  }
}
