package dev.vramscope.web.list;

import dev.vramscope.analysis.MissingData;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.display.DownloadName;
import dev.vramscope.web.docs.ApiExamples;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Immediate;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.request.SortLinks;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.whatif.replays.WhatIfJobs;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Stored snapshots: list, read, delete. */
@RestController
@RequestMapping("/api/v1/snapshots")
@Tag(name = "Snapshots")
class SnapshotsApi {
  static final int MAX_LIMIT = 500;

  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final WhatIfJobs replays;

  SnapshotsApi(SnapshotStore store, SnapshotCache snapshots, WhatIfJobs replays) {
    this.store = store;
    this.snapshots = snapshots;
    this.replays = replays;
  }

  /** One page of the list, and the total number of matches. */
  @Schema(name = "SnapshotListing")
  record Listing(List<StoredSnapshot> snapshots, long total, int limit, int offset) {}

  @GetMapping
  @Operation(
      summary = "List snapshots",
      description =
          "q searches names and tags; the other filters match exactly. order is newest (the"
              + " default), job (by job, then rank), name, ooms, peak, allocated, reserved,"
              + " devices, events or producer; text ascends and numbers descend, unless reverse is"
              + " true.")
  Listing list(
      @RequestParam @Nullable String q,
      @RequestParam @Nullable String job,
      @RequestParam @Nullable String rank,
      @RequestParam @Nullable String host,
      @RequestParam @Nullable String label,
      @RequestParam(defaultValue = "newest") String order,
      @RequestParam(defaultValue = "false") boolean reverse,
      @RequestParam(defaultValue = "50") int limit,
      @RequestParam(defaultValue = "0") int offset) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw RefusedRequestException.badParameter("limit", limit, "1 to " + MAX_LIMIT);
    }
    Slice.requireOffset(offset);
    SnapshotFilter filter =
        new SnapshotFilter(
            q, job, rank, host, label, SortLinks.order(order, reverse), limit, offset);
    return new Listing(store.find(filter), store.count(filter), limit, offset);
  }

  @Immediate
  @GetMapping("/{id}")
  @Operation(summary = "Metadata of one snapshot")
  @ApiResponse(responseCode = "200")
  @ApiResponse(
      responseCode = "404",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class),
              examples = @ExampleObject(ApiExamples.NO_SNAPSHOT)))
  StoredSnapshot get(@PathVariable String id) {
    return store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
  }

  @PatchMapping(
      path = "/{id}",
      consumes = {"application/merge-patch+json", MediaType.APPLICATION_JSON_VALUE})
  @Operation(
      summary = "Change name and tags",
      description =
          "A JSON merge patch of the snapshot with name, tags or both: an absent member is"
              + " unchanged, null removes a tag, or all tags.",
      requestBody =
          @io.swagger.v3.oas.annotations.parameters.RequestBody(
              required = true,
              content =
                  @Content(
                      mediaType = MediaType.APPLICATION_JSON_VALUE,
                      schema = @Schema(type = "object", example = ApiExamples.METADATA_PATCH))))
  StoredSnapshot change(@PathVariable String id, @RequestBody Map<String, JsonNode> members) {
    MetadataPatch patch = new MetadataPatch(members);
    StoredSnapshot stored = get(id);
    return store
        .update(id, patch.nameOf(stored), patch.tagsOf(stored))
        .orElseThrow(() -> RefusedRequestException.noSnapshot(id));
  }

  @DeleteMapping("/{id}")
  @Operation(summary = "Delete a snapshot and its original file")
  @ApiResponse(responseCode = "204", description = "Deleted")
  ResponseEntity<Void> delete(@PathVariable String id) {
    if (!store.delete(id)) {
      throw RefusedRequestException.noSnapshot(id);
    }
    snapshots.evict(id);
    replays.deleted(id);
    return ResponseEntity.noContent().build();
  }

  @GetMapping("/{id}/findings")
  @Operation(
      summary = "Missing or contradictory data",
      description =
          "Findings of one device, most severe first; without device, the distinct findings of all"
              + " devices, whose number is the findingCount of the snapshot.")
  List<Finding> findings(@PathVariable String id, @RequestParam @Nullable Integer device) {
    SnapshotInspection loaded = snapshots.get(id);
    return device != null
        ? ChosenDevice.of(loaded, device).missingData().findings()
        : MissingData.distinct(
            loaded.devices().stream().map(each -> each.missingData().findings()).toList());
  }

  @Immediate
  @GetMapping("/{id}/original")
  @Operation(summary = "The uploaded file, uncompressed")
  ResponseEntity<Resource> original(@PathVariable String id) {
    DownloadName name = DownloadName.ofOriginal(get(id).name(), get(id).format());
    OriginalFile original =
        store.original(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_OCTET_STREAM)
        .contentLength(original.bytes())
        .header(HttpHeaders.CONTENT_DISPOSITION, name.header())
        .body(new InputStreamResource(original.stream()));
  }
}
