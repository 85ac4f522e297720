package dev.vramscope.web.live;

import dev.vramscope.live.AllocatorKind;
import dev.vramscope.live.DeviceChoice;
import dev.vramscope.live.DriverView;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.HostingRequest;
import dev.vramscope.recorder.ContextKind;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.Recording;
import dev.vramscope.web.docs.ApiExamples;
import dev.vramscope.web.problem.Problem;
import dev.vramscope.web.problem.RefusedRequestException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Hosted allocators: create, query, close. */
@RestController
@RequestMapping(AllocatorsApi.PATH)
@Tag(name = "Allocators")
class AllocatorsApi {
  static final String PATH = "/api/v1/allocators";

  private static final int MAX_NAME_LENGTH = 200;
  private static final int MAX_SETTINGS_LENGTH = 4096;

  private final HostedAllocators allocators;
  private final IncidentViews incidents;

  AllocatorsApi(HostedAllocators allocators, IncidentViews incidents) {
    this.allocators = allocators;
    this.incidents = incidents;
  }

  /**
   * The allocator to host. Missing members default to the values of the examples, except settings,
   * which default to none.
   *
   * @param settings a {@code PYTORCH_CUDA_ALLOC_CONF} string, or {@code preallocate=false,…} of bfc
   */
  record AllocatorRequest(
      @Schema(example = "training-test") @Nullable String name,
      @Schema(example = "sim:16GiB") @Nullable String device,
      @Schema(example = "caching") @Nullable String kind,
      @Schema(example = "expandable_segments:True") @Nullable String settings,
      @Nullable HistoryRequest history) {}

  /**
   * The settings of the recorder.
   *
   * @param recording {@code off}, {@code state} or {@code all}
   * @param contexts {@code scopes}, {@code stacks} or {@code both}
   * @param events the maximum number of events to keep
   * @param stackEvery record the stack of every n-th call of a thread
   */
  record HistoryRequest(
      @Schema(example = "all") @Nullable String recording,
      @Schema(example = "scopes") @Nullable String contexts,
      @Schema(example = "100000") @Nullable Integer events,
      @Schema(example = "1") @Nullable Integer stackEvery) {}

  @PostMapping
  @Operation(
      summary = "Host an allocator",
      description =
          "On a GPU (cuda:0) or a simulated device (sim:16GiB): PyTorch's allocator (caching),"
              + " XLA's (bfc), or one driver call per request (direct).")
  @ApiResponse(responseCode = "201", description = "Created; Location is its URL")
  @ApiResponse(
      responseCode = "400",
      description = "Settings that PyTorch or XLA would reject",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class),
              examples = @ExampleObject(ApiExamples.WRONG_SETTINGS)))
  @ApiResponse(
      responseCode = "409",
      description = "A limit on hosted allocators is reached",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ResponseEntity<AllocatorView> create(@RequestBody AllocatorRequest hosting) {
    HostedAllocator hosted = allocators.create(request(hosting));
    return ResponseEntity.created(URI.create(PATH + "/" + hosted.id()))
        .body(AllocatorView.of(hosted, incidents));
  }

  private static HostingRequest request(AllocatorRequest hosting) {
    AllocatorKind kind = AllocatorKind.of(orDefault(hosting.kind(), "caching"));
    DeviceChoice device = DeviceChoice.parse(orDefault(hosting.device(), "sim:16GiB"));
    return new HostingRequest(
        bounded("name", orDefault(hosting.name(), kind.id() + " on " + device), MAX_NAME_LENGTH),
        device,
        kind,
        bounded("settings", orDefault(hosting.settings(), ""), MAX_SETTINGS_LENGTH),
        history(hosting.history()));
  }

  private static HistorySettings history(@Nullable HistoryRequest request) {
    HistorySettings all = HistorySettings.all();
    if (request == null) {
      return all;
    }
    Recording recording =
        choice("history.recording", request.recording(), Recording.values(), all.recording());
    ContextKind contexts =
        choice("history.contexts", request.contexts(), ContextKind.values(), all.contexts());
    int events = request.events() == null ? all.maxEvents() : request.events();
    int every = request.stackEvery() == null ? all.stackEvery() : request.stackEvery();
    if (events < 1) {
      throw RefusedRequestException.badParameter("history.events", events, "1 or more");
    }
    if (every < 1) {
      throw RefusedRequestException.badParameter("history.stackEvery", every, "1 or more");
    }
    try {
      return all.with(recording).withContexts(contexts, every).withMaxEvents(events);
    } catch (IllegalArgumentException tooMany) {
      throw RefusedRequestException.badParameter(
          "history.events", events, "fewer: " + tooMany.getMessage());
    }
  }

  private static <E extends Enum<E>> E choice(
      String name, @Nullable String text, E[] choices, E fallback) {
    if (text == null) {
      return fallback;
    }
    return Arrays.stream(choices)
        .filter(choice -> choice.name().equalsIgnoreCase(text.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    name,
                    text,
                    String.join(
                        ", ",
                        Arrays.stream(choices)
                            .map(choice -> choice.name().toLowerCase(Locale.ROOT))
                            .toList())));
  }

  private static String orDefault(@Nullable String text, String fallback) {
    return text == null || text.isBlank() ? fallback : text.strip();
  }

  private static String bounded(String name, String text, int max) {
    if (text.length() > max) {
      throw RefusedRequestException.badParameter(
          name, "of " + text.length() + " characters", "at most " + max);
    }
    return text;
  }

  @GetMapping
  @Operation(summary = "The hosted allocators, oldest first")
  List<AllocatorView> list() {
    return allocators.list().stream().map(each -> AllocatorView.of(each, incidents)).toList();
  }

  @GetMapping("/{id}")
  @Operation(summary = "One hosted allocator", description = "With its latest incidents.")
  @ApiResponse(responseCode = "200")
  @ApiResponse(
      responseCode = "410",
      description = "It was closed",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class),
              examples = @ExampleObject(ApiExamples.CLOSED_ALLOCATOR)))
  AllocatorView get(@PathVariable long id) {
    return AllocatorView.of(allocators.find(id), incidents);
  }

  @DeleteMapping("/{id}")
  @Operation(
      summary = "Close an allocator",
      description =
          "Stops its workloads, frees its blocks and releases its memory to the device. Concurrent"
              + " requests fail with 410.")
  @ApiResponse(responseCode = "204", description = "Closed; all its device memory is released")
  ResponseEntity<Void> close(@PathVariable long id) {
    allocators.close(id);
    return ResponseEntity.noContent().build();
  }

  @PostMapping("/{id}/sync")
  @Operation(summary = "Wait until all work on the device is complete")
  @ApiResponse(responseCode = "204")
  ResponseEntity<Void> synchronize(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    hosted.runGuarded(() -> hosted.device().streams().synchronizeAll());
    return ResponseEntity.noContent().build();
  }

  @PostMapping("/{id}/empty-cache")
  @Operation(summary = "Release the cached segments to the device")
  AllocatorView emptyCache(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    hosted.allocator().emptyCache();
    return AllocatorView.of(hosted, incidents);
  }

  @GetMapping(path = "/{id}/stats", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(
      summary = "The allocator's own counters",
      description =
          "caching: the keys of torch.cuda.memory_stats(). bfc: the keys of JAX's"
              + " Device.memory_stats().")
  Map<String, Long> stats(@PathVariable long id) {
    return HostedStats.counters(allocators.find(id));
  }

  @GetMapping(path = "/{id}/stats", produces = MediaType.TEXT_PLAIN_VALUE)
  @Operation(
      summary = "The allocator's counters as text",
      description = "In the format of torch.cuda.memory_summary() or of XLA's allocator.")
  ResponseEntity<byte[]> statsText(@PathVariable long id) {
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
        .body(HostedStats.text(allocators.find(id)).getBytes(StandardCharsets.UTF_8));
  }

  @GetMapping("/{id}/host-memory-stats")
  @Operation(
      summary = "The counters of the pinned host memory",
      description = "The keys of torch.cuda.host_memory_stats(); times are in microseconds.")
  Map<String, Long> hostMemoryStats(@PathVariable long id) {
    return allocators.find(id).pinned().statistics().byTorchName();
  }

  /** A stored snapshot: its id, and the page that shows it. */
  record SnapshotLink(String id, String page) {}

  @PostMapping("/{id}/snapshot")
  @Operation(
      summary = "Take a snapshot",
      description =
          "Stores the current state with the recorded history, like an uploaded snapshot.")
  @ApiResponse(responseCode = "201", description = "Stored; Location is the snapshot's URL")
  ResponseEntity<SnapshotLink> snapshot(@PathVariable long id) {
    String stored = allocators.find(id).storeSnapshot("snapshot");
    return ResponseEntity.created(URI.create("/api/v1/snapshots/" + stored))
        .body(new SnapshotLink(stored, "/snapshots/" + stored));
  }

  @GetMapping("/{id}/driver")
  @Operation(
      summary = "Memory of the device, as reported by its driver",
      description =
          "Values that a snapshot does not contain: bytes outside the allocator, bytes of other"
              + " processes, and free bytes. An unknown value has a reason instead of bytes.")
  DriverView driver(@PathVariable long id) {
    return allocators.driverView(allocators.find(id));
  }
}
