package dev.vramscope.web.live;

import dev.vramscope.allocator.OutOfDeviceMemoryException;
import dev.vramscope.live.ClientBlocks;
import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Blocks that REST clients allocate from a hosted allocator. */
@RestController
@RequestMapping(AllocatorsApi.PATH + "/{id}/blocks")
@Tag(name = "Allocators")
class BlocksApi {
  private static final long MAX_REQUEST_BYTES = 1L << 62;
  private static final int MAX_SCOPE_LENGTH = 200;
  private static final String DEFAULT_SCOPE = "REST client";
  private static final Pattern HANDLE = Pattern.compile("0x[0-9a-f]{1,16}");

  private final HostedAllocators allocators;
  private final IncidentViews incidents;

  BlocksApi(HostedAllocators allocators, IncidentViews incidents) {
    this.allocators = allocators;
    this.incidents = incidents;
  }

  /**
   * A request for memory.
   *
   * @param bytes from 1 to 2^62
   * @param stream the stream that uses the block, 0 by default
   * @param scope its purpose, which snapshots and post-mortems show as the allocation site
   */
  record BlockRequest(
      @Schema(example = "2097152") @Nullable Long bytes,
      @Schema(example = "0") @Nullable Integer stream,
      @Schema(example = "forward/layer 3") @Nullable String scope) {}

  /** An allocated block: its handle and its address, in hex. */
  record Allocated(String block, String address) {}

  @PostMapping
  @Operation(
      summary = "Allocate a block",
      description =
          "The block stays allocated until it is freed or the allocator is closed. If the device is"
              + " out of memory, the state is stored, instance is the post-mortem's page, and the"
              + " allocator remains usable.")
  @ApiResponse(responseCode = "201", description = "Allocated; Location is its URL")
  @ApiResponse(
      responseCode = "507",
      description = "Out of device memory",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class),
              examples = @ExampleObject(ApiExamples.OUT_OF_MEMORY)))
  ResponseEntity<Allocated> allocate(@PathVariable long id, @RequestBody BlockRequest request) {
    HostedAllocator hosted = allocators.find(id);
    Long bytes = request.bytes();
    if (bytes == null || bytes < 1 || bytes > MAX_REQUEST_BYTES) {
      throw RefusedRequestException.badParameter(
          "bytes", bytes == null ? "missing" : bytes, "1 to " + MAX_REQUEST_BYTES);
    }
    ClientBlocks blocks = hosted.clientBlocks();
    try {
      long block =
          blocks.allocate(bytes, stream(request.stream(), /* defaultStream= */ 0), scope(request));
      String handle = hex(block);
      return ResponseEntity.created(URI.create(AllocatorsApi.PATH + "/" + id + "/blocks/" + handle))
          .body(new Allocated(handle, hex(blocks.address(block))));
    } catch (OutOfDeviceMemoryException failure) {
      throw outOfMemory(hosted, failure);
    }
  }

  private RefusedRequestException outOfMemory(
      HostedAllocator hosted, OutOfDeviceMemoryException failure) {
    return hosted
        .incidentOf(failure)
        .map(incident -> incidents.of(incident, hosted))
        .map(
            view ->
                RefusedRequestException.outOfMemory(
                    String.valueOf(failure.getMessage()), view.page(), view.snapshotNote()))
        .orElseGet(
            () ->
                RefusedRequestException.outOfMemory(
                    String.valueOf(failure.getMessage()),
                    null,
                    "Too many requests failed at the same time; this failure was not recorded."));
  }

  @DeleteMapping("/{block}")
  @Operation(summary = "Free a block")
  @ApiResponse(responseCode = "204")
  @ApiResponse(
      responseCode = "404",
      description = "No such block: it is already free, or belongs to a workload",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  ResponseEntity<Void> free(@PathVariable long id, @PathVariable String block) {
    allocators.find(id).clientBlocks().free(handle(block));
    return ResponseEntity.noContent().build();
  }

  /** Another stream that uses a block. */
  record StreamUse(@Schema(example = "1") @Nullable Integer stream) {}

  @PostMapping("/{block}/streams")
  @Operation(
      summary = "Record that another stream uses a block",
      description =
          "record_stream: after the block is freed, it is not reused before the work that is queued"
              + " on the stream by then is complete.")
  @ApiResponse(responseCode = "204")
  ResponseEntity<Void> recordStream(
      @PathVariable long id, @PathVariable String block, @RequestBody StreamUse use) {
    if (use.stream() == null) {
      throw RefusedRequestException.badParameter("stream", "missing", "a stream's number");
    }
    allocators.find(id).clientBlocks().recordStream(handle(block), use.stream());
    return ResponseEntity.noContent().build();
  }

  private static int stream(@Nullable Integer stream, int defaultStream) {
    return stream == null ? defaultStream : stream;
  }

  private static String scope(BlockRequest request) {
    String scope = request.scope();
    if (scope == null || scope.isBlank()) {
      return DEFAULT_SCOPE;
    }
    if (scope.length() > MAX_SCOPE_LENGTH) {
      throw RefusedRequestException.badParameter(
          "scope", "of " + scope.length() + " characters", "at most " + MAX_SCOPE_LENGTH);
    }
    return scope.strip();
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }

  private static long handle(String text) {
    if (!HANDLE.matcher(text).matches()) {
      throw RefusedRequestException.badParameter(
          "block", text, "a handle returned by an allocation, such as 0x1000000000001");
    }
    return Long.parseUnsignedLong(text.substring(2), 16);
  }
}
