package dev.vramscope.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The page of one allocation, and the history of an address. */
class AllocationPageIT extends OnSnapshotShapes {
  @Test
  void tenantsOfAnAddressAreInTheEventListToo() {
    String id = shapes.get(SampleFiles.FRAGMENTED);
    JsonNode allocation = Json.of(server.get("/api/v1/snapshots/" + id + "/allocations/900"));
    String address = allocation.path("address").asString();
    String page = server.text("/snapshots/" + id + "/allocations/900");
    assertThat(page).contains(address).contains("The same memory, before and after");
    JsonNode events =
        Json.of(
            server.get(
                "/api/v1/snapshots/" + id + "/events?action=alloc&limit=500&address=" + address));
    boolean isListed = false;
    for (JsonNode row : events.path("rows")) {
      isListed |= row.path("event").asInt() == allocation.path("allocationEvent").asInt();
    }
    assertThat(isListed).isTrue();
  }

  @Test
  void everyShapeHasPagesOfItsFirstAndLastAllocation() {
    shapes.forEach(
        (shape, id) -> {
          String first = "/snapshots/" + id + "/allocations/0";
          int status = server.get(first).statusCode();
          assertThat(status).as(shape).isIn(200, 404);
          assertThat(server.get("/snapshots/" + id + "/allocations/99999999").statusCode())
              .as(shape)
              .isEqualTo(404);
        });
  }
}
