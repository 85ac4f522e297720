package dev.vramscope.web;

import dev.vramscope.live.AllocatorKind;
import dev.vramscope.live.DeviceChoice;
import dev.vramscope.live.DriverView;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.HostingRequest;
import dev.vramscope.live.SnapshotSink;
import dev.vramscope.recorder.ContextKind;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.recorder.Recording;
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

/** Allocators that this service hosts: create, look, close. */
@RestController
@RequestMapping(AllocatorsApi.PATH)
@Tag(name = "Allocators")
class AllocatorsApi {
  static final String PATH = "/api/v1/allocators";

  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_SETTINGS = 4096;

  private final HostedAllocators allocators;

  AllocatorsApi(HostedAllocators allocators) {
    this.allocators = allocators;
  }

  /**
   * What to host; whatever is missing is as in the example.
   *
   * @param settings a {@code PYTORCH_CUDA_ALLOC_CONF} string, or {@code preallocate=false,…} of bfc
   */
  record Hosting(
      @Schema(example = "training rehearsal") @Nullable String name,
      @Schema(example = "sim:16GiB") @Nullable String device,
      @Schema(example = "caching") @Nullable String kind,
      @Schema(example = "expandable_segments:True") @Nullable String settings,
      @Nullable Keeping history) {}

  /**
   * What the recorder keeps.
   *
   * @param recording {@code off}, {@code state} or {@code all}
   * @param contexts {@code scopes}, {@code stacks} or {@code both}
   * @param events the last so many
   * @param stackEvery every how manieth call of a thread has its stack taken
   */
  record Keeping(
      @Schema(example = "all") @Nullable String recording,
      @Schema(example = "scopes") @Nullable String contexts,
      @Schema(example = "100000") @Nullable Integer events,
      @Schema(example = "1") @Nullable Integer stackEvery) {}

  @PostMapping
  @Operation(
      summary = "Host an allocator",
      description =
          "On a GPU (cuda:0) or a simulated card (sim:16GiB): PyTorch's allocator (caching), XLA's"
              + " (bfc), or the driver itself (direct).")
  @ApiResponse(responseCode = "201", description = "It works; Location is its address")
  @ApiResponse(
      responseCode = "400",
      description = "The settings are not what PyTorch or XLA would accept",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class),
              examples = @ExampleObject(ApiExamples.WRONG_SETTINGS)))
  @ApiResponse(
      responseCode = "409",
      description = "A bound on what is hosted is reached",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ResponseEntity<AllocatorView> create(@RequestBody Hosting hosting) {
    HostedAllocator hosted = allocators.create(request(hosting));
    return ResponseEntity.created(URI.create(PATH + "/" + hosted.id()))
        .body(AllocatorView.of(hosted));
  }

  private static HostingRequest request(Hosting hosting) {
    AllocatorKind kind = AllocatorKind.of(given(hosting.kind(), "caching"));
    DeviceChoice device = DeviceChoice.parse(given(hosting.device(), "sim:16GiB"));
    return new HostingRequest(
        bounded("name", given(hosting.name(), kind.id() + " on " + device), LONGEST_NAME),
        device,
        kind,
        bounded("settings", given(hosting.settings(), ""), LONGEST_SETTINGS),
        history(hosting.history()));
  }

  private static HistorySettings history(@Nullable Keeping wanted) {
    HistorySettings all = HistorySettings.all();
    if (wanted == null) {
      return all;
    }
    Recording recording =
        choice("history.recording", wanted.recording(), Recording.values(), all.recording());
    ContextKind contexts =
        choice("history.contexts", wanted.contexts(), ContextKind.values(), all.contexts());
    int events = wanted.events() == null ? all.maxEvents() : wanted.events();
    int every = wanted.stackEvery() == null ? all.stackEvery() : wanted.stackEvery();
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
          "history.events", events, "less: " + tooMany.getMessage());
    }
  }

  private static <E extends Enum<E>> E choice(
      String name, @Nullable String word, E[] choices, E otherwise) {
    if (word == null) {
      return otherwise;
    }
    return Arrays.stream(choices)
        .filter(choice -> choice.name().equalsIgnoreCase(word.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    name,
                    word,
                    String.join(
                        ", ",
                        Arrays.stream(choices)
                            .map(choice -> choice.name().toLowerCase(Locale.ROOT))
                            .toList())));
  }

  private static String given(@Nullable String text, String otherwise) {
    return text == null || text.isBlank() ? otherwise : text.strip();
  }

  private static String bounded(String name, String text, int most) {
    if (text.length() > most) {
      throw RefusedRequestException.badParameter(
          name, "of " + text.length() + " characters", "at most " + most);
    }
    return text;
  }

  @GetMapping
  @Operation(summary = "The hosted allocators, oldest first")
  List<AllocatorView> list() {
    return allocators.list().stream().map(AllocatorView::of).toList();
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
  AllocatorView one(@PathVariable long id) {
    return AllocatorView.of(allocators.find(id));
  }

  @DeleteMapping("/{id}")
  @Operation(
      summary = "Close an allocator",
      description =
          "Ends its workloads, frees its blocks and gives everything back to the card. Who uses it"
              + " meanwhile is told so.")
  @ApiResponse(responseCode = "204", description = "Nothing of it is left on the card")
  ResponseEntity<Void> close(@PathVariable long id) {
    allocators.close(id);
    return ResponseEntity.noContent().build();
  }

  @PostMapping("/{id}/sync")
  @Operation(summary = "Wait until all work on the card is done")
  @ApiResponse(responseCode = "204")
  ResponseEntity<Void> synchronize(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    hosted.change(() -> hosted.device().streams().synchronizeAll());
    return ResponseEntity.noContent().build();
  }

  @PostMapping("/{id}/empty-cache")
  @Operation(summary = "Give back to the card what lies unused in the cache")
  AllocatorView emptyCache(@PathVariable long id) {
    HostedAllocator hosted = allocators.find(id);
    hosted.allocator().emptyCache();
    return AllocatorView.of(hosted);
  }

  @GetMapping(path = "/{id}/stats", produces = MediaType.APPLICATION_JSON_VALUE)
  @Operation(
      summary = "The allocator's own counters",
      description =
          "Of a caching allocator the keys of torch.cuda.memory_stats(), of a bfc allocator those"
              + " of JAX's Device.memory_stats().")
  Map<String, Long> stats(@PathVariable long id) {
    return HostedStats.counters(allocators.find(id));
  }

  @GetMapping(path = "/{id}/stats", produces = MediaType.TEXT_PLAIN_VALUE)
  @Operation(
      summary = "The same as text",
      description = "As torch.cuda.memory_summary() and XLA's allocator print it.")
  ResponseEntity<byte[]> statsText(@PathVariable long id) {
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
        .body(HostedStats.text(allocators.find(id)).getBytes(StandardCharsets.UTF_8));
  }

  /** A stored snapshot: its id, and the page that shows it. */
  record Kept(String id, String page) {}

  @PostMapping("/{id}/snapshot")
  @Operation(
      summary = "Store the present state",
      description = "As a snapshot like any other, with the history that led to it.")
  @ApiResponse(responseCode = "201", description = "Stored; Location is the snapshot's address")
  ResponseEntity<Kept> snapshot(@PathVariable long id) {
    SnapshotSink.Stored kept = allocators.find(id).storeSnapshot("snapshot");
    return ResponseEntity.created(URI.create("/api/v1/snapshots/" + kept.id()))
        .body(new Kept(kept.id(), "/snapshots/" + kept.id()));
  }

  @GetMapping("/{id}/driver")
  @Operation(
      summary = "Where the card's bytes are, as its driver tells",
      description =
          "What no snapshot can know: held outside the allocator, by other processes, and free. A"
              + " part that is not known has a reason instead of bytes.")
  DriverView driver(@PathVariable long id) {
    return allocators.driverView(allocators.find(id));
  }
}
