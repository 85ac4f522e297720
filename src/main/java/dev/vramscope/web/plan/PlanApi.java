package dev.vramscope.web.plan;

import dev.vramscope.web.problem.Problem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What a program needs at sizes that were never run. */
@RestController
@Tag(name = "Analyses")
class PlanApi {
  private final Plans plans;

  PlanApi(Plans plans) {
    this.plans = plans;
  }

  @PostMapping("/api/v1/plans")
  @Operation(
      summary = "What fits: plan from recordings at small sizes",
      description =
          "Takes two or more recordings of the same program at different values of its parameters,"
              + " such as batch 2 and 3, aligns them, fits the size of each allocation, and replays"
              + " the fitted run through the allocator: the largest value of find that fits each"
              + " device under each of settings, the peaks at the values of at, how the memory of"
              + " each site grows, and what the answer stands on. Takes a few seconds for"
              + " recordings of a million events.")
  @ApiResponse(responseCode = "200", description = "The answer")
  @ApiResponse(
      responseCode = "400",
      description = "A member is not valid, or settings are not accepted",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  @ApiResponse(
      responseCode = "422",
      description =
          "Nothing can be planned: the recordings are of different programs, have the same value,"
              + " or begin in mid-run; the answer names the first event where they part",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = Problem.class)))
  PlanView plan(@RequestBody PlanRequest request) {
    return plans.answer(request);
  }
}
