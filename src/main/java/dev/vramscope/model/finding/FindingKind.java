package dev.vramscope.model.finding;

import dev.vramscope.model.finding.Finding.Severity;
import java.util.Locale;

/**
 * The registry of findings: every finding is made by one of these kinds, which has its code, its
 * severity and its text. {@code docs/findings.md} is generated from it.
 *
 * <p>Codes are stored and are part of the REST API, so they do not change. A kind whose name begins
 * with that of another one has the code of that one: it says the same about other files.
 */
public enum FindingKind {
  PROGRAM_INCOMPLETE(
      Severity.WARNING, FindingSource.COMPILED, "Not read: %s.", FindingAdvice.REPORT),
  PROGRAM_SUMS_DIFFER(
      Severity.ERROR, FindingSource.COMPILED, "Sums differ: %s.", FindingAdvice.REPORT),
  BLOCKS_OVERLAP(
      Severity.ERROR,
      FindingSource.PYTORCH,
      "Blocks that overlap the previous block: %d. They were moved after it, so addresses and the"
          + " size of the segment are uncertain.",
      FindingAdvice.WRITE_AGAIN),
  BLOCKS_MISSING(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Gaps in segments without a block: %d. They are shown as inactive blocks.",
      FindingAdvice.WRITE_AGAIN),
  BLOCKS_BEYOND_SEGMENT(
      Severity.ERROR,
      FindingSource.PYTORCH,
      "Segments that are smaller than the sum of their blocks: %d. They were extended.",
      FindingAdvice.WRITE_AGAIN),
  EMPTY_BLOCKS(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Blocks of 0 bytes: %d. They were ignored.",
      FindingAdvice.WRITE_AGAIN),
  EMPTY_SEGMENTS(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Segments of 0 bytes: %d. They were ignored.",
      FindingAdvice.WRITE_AGAIN),
  RECORDED_SUMS_DIFFER(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Segments with recorded totals that differ from the sums over their blocks: %d. The sums are"
          + " used.",
      FindingAdvice.WRITE_AGAIN),
  REQUESTED_EXCEEDS_BLOCK(
      Severity.ERROR,
      FindingSource.PYTORCH,
      "Active blocks that are smaller than their requested size: %d. The size of the block is used"
          + " for both.",
      FindingAdvice.WRITE_AGAIN),
  SEGMENTS_OVERLAP(
      Severity.ERROR,
      FindingSource.PYTORCH,
      "Segments that overlap the previous segment: %d. They are shown as recorded.",
      FindingAdvice.WRITE_AGAIN),
  EVENTS_INCOMPLETE(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Events without an address or size: %d. The missing value is read as 0.",
      FindingAdvice.WRITE_AGAIN),
  TIME_INVALID(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Events with a time before 1970 or after 9999: %d. Their time is shown as unknown.",
      "Check the clock of the machine; the order of the events is right."),
  TIME_BACKWARDS(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Events with an earlier timestamp than the previous event: %d. They are shown in the order of"
          + " the file.",
      "Check whether the clock of the machine was set; the order of the events is right."),
  EMPTY_DEVICES(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Empty lists of events for more devices than a machine has: %d. They were ignored: only"
          + " devices with a segment or an event are shown.",
      FindingAdvice.WRITE_AGAIN),
  ANNOTATIONS_UNREADABLE(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Annotations without a name or a valid stage: %d. They were ignored.",
      FindingAdvice.WRITE_AGAIN),
  TRAILING_BYTES(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Bytes after the end of the snapshot: %d. They were ignored.",
      "Check whether several snapshots were written to one file; only the first one is read."),
  MORE_SNAPSHOTS(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Further snapshots in the same page: %d. Only the first one was read.",
      "Write each snapshot to its own file."),
  STACKS_CUT(
      Severity.WARNING,
      FindingSource.PYTORCH,
      "Stacks with more than %,d frames: %,d; the longest has %,d. Their innermost %,d frames are"
          + " shown; %,d outer frames were omitted.",
      FindingAdvice.RECURSION),
  UNKNOWN_KEYS(
      Severity.INFO,
      FindingSource.PYTORCH,
      "Values skipped because of an unknown key: %d. Their keys are %s.",
      "Nothing, if a tool added them. A newer PyTorch may need a newer vramscope."),

  RMM_LOG(
      Severity.INFO,
      FindingSource.RMM,
      "The log has the requests to RMM with their addresses%s. It has no stacks, and does not say"
          + " what RMM’s pool holds%s. Its end may be missing: RMM writes it in large pieces.",
      FindingAdvice.NOTHING),
  LINES_SKIPPED(
      Severity.WARNING,
      FindingSource.RMM,
      "%,d lines are no events of RMM and were skipped; the first is %s.",
      "Let no other program write to the file of the log."),

  PROFILER_TRACE(
      Severity.INFO,
      FindingSource.PROFILER,
      "The trace has the allocations and frees while it was recorded, with times and addresses. It"
          + " has neither the stacks of the allocations nor the segments of the allocator, so the"
          + " code and the cause of a failure are unknown.",
      "Record a snapshot of PyTorch for what a trace does not have."),
  PROFILER_RESERVED(
      Severity.INFO,
      FindingSource.PROFILER,
      "Device %d: PyTorch had reserved at most %,d bytes after an event of the trace.",
      FindingAdvice.NOTHING),
  PROFILER_BEFORE(
      Severity.WARNING,
      FindingSource.PROFILER,
      "Device %d: %,d bytes were allocated before the first event, according to PyTorch’s own total"
          + " beside the events. All totals here include them; what is not freed in the trace is"
          + " one part without an address.",
      "Start the profiler before the first allocation."),
  PROFILER_TOTALS_DIFFER(
      Severity.WARNING,
      FindingSource.PROFILER,
      "Device %d: after %,d of the events, PyTorch’s own total differs from the sum of the events,"
          + " by up to %,d bytes: memory was allocated or freed without an event. The numbers here"
          + " are the sums.",
      "The profiler sees only the threads that it follows; a snapshot of PyTorch sees all."),
  PROFILER_ADDRESSES(
      Severity.WARNING,
      FindingSource.PROFILER,
      "The events have no addresses, as those of 2021. A free is taken for that of the oldest live"
          + " allocation of its size, so lifetimes may be wrong; sums are right.",
      FindingAdvice.NEWER),

  PLOT_PAGE(
      Severity.INFO,
      FindingSource.PLOT,
      "The page has the allocations and frees that trace_plot drew, each with one stack. It has"
          + " neither times, streams, failed requests nor segments, and does not name the device;"
          + " of blocks that were already live it has the size. With plot_segments=True before"
          + " 2023, its allocations are segments.",
      "Upload the pickle that the page was made of, which has all of that."),
  PLOT_ADDRESSES(
      Severity.INFO,
      FindingSource.PLOT,
      "The page has no addresses, as those of 2022. Its allocations are numbered instead.",
      FindingAdvice.NOTHING),
  PLOT_STACKS(
      Severity.WARNING,
      FindingSource.PLOT,
      "No allocation of the page has a stack, so the code that made them is unknown.",
      "Record with `torch.cuda.memory._record_memory_history()`."),
  PLOT_SEGMENTS(
      Severity.INFO,
      FindingSource.PLOT,
      "The page has the events, segments and live blocks of one device, as segment_plot drew them."
          + " It has neither times nor the pools of the segments, and does not name the device;"
          + " segments of 2 MiB are taken for those of the small pool.",
      "Upload the pickle that the page was made of, which has all of that."),

  PROFILE(
      Severity.INFO,
      FindingSource.JAX_PROFILE,
      "A profile has the live buffers of one moment with their stacks. It has no addresses, no"
          + " events, no free memory and no size of the device: there is no timeline, no segment"
          + " map and no post-mortem.",
      FindingAdvice.NOTHING),
  EXECUTABLES(
      Severity.INFO,
      FindingSource.JAX_PROFILE,
      "The process has %,d compiled programs with %,d bytes of code. The profile does not say on"
          + " which device, so no total includes them.",
      FindingAdvice.NOTHING),
  STACKS_CUT_IN_PROFILE(
      STACKS_CUT,
      Severity.WARNING,
      FindingSource.JAX_PROFILE,
      "%,d stacks have more than %,d frames; their outer frames were cut off.",
      FindingAdvice.RECURSION),
  BUFFERS_AGGREGATED(
      Severity.WARNING,
      FindingSource.JAX_PROFILE,
      "%,d buffers of the same stacks are shown as one each.",
      FindingAdvice.NOTHING),

  BFC_DUMP(
      Severity.INFO,
      FindingSource.BFC_DUMP,
      "The dump has %,d chunks at one moment%s, without requested sizes and stacks.",
      FindingAdvice.NOTHING),
  CHUNKS_BEYOND_REQUESTS(
      Severity.INFO,
      FindingSource.BFC_DUMP,
      "Of %s in use, the program requested %s; %s are in chunks beyond their requests. The"
          + " allocator splits a chunk only if half of it or 128 MiB would remain.",
      FindingAdvice.NOTHING),
  LIMIT_ROUNDED(
      Severity.INFO,
      FindingSource.BFC_DUMP,
      "The dump has the limit of the pool rounded: it may differ by up to %,d bytes.",
      FindingAdvice.NOTHING),
  OTHER_DUMPS(
      Severity.WARNING,
      FindingSource.BFC_DUMP,
      "%,d lines belong to dumps of other processes and were left out; this is the dump of %s.",
      "Upload the log of each process by itself."),
  DUMP_CONTRADICTS(
      Severity.WARNING,
      FindingSource.BFC_DUMP,
      "The totals of the dump and its chunks differ: %s. A part is missing, or it was changed.",
      "Write or copy the dump again, as a whole."),
  BFC_DUMP_IN_FILE(
      BFC_DUMP,
      Severity.INFO,
      FindingSource.MEMORY_DUMP,
      "A dump has the chunks of one moment%s%s%s",
      FindingAdvice.NOTHING),
  BFC_EVENTS(Severity.INFO, FindingSource.BFC_EVENTS, BfcEventText.EVENTS, FindingAdvice.NOTHING),
  BFC_EVENTS_BEFORE(
      Severity.WARNING, FindingSource.BFC_EVENTS, BfcEventText.BEFORE, BfcEventText.EARLIER),
  BFC_EVENTS_DIFFER(
      Severity.WARNING, FindingSource.BFC_EVENTS, BfcEventText.DIFFER, BfcEventText.WHOLE),

  CONTEXTS_DROPPED(
      Severity.WARNING,
      FindingSource.RECORDER,
      "The recorder's tables are full: %d stacks or scopes are incomplete. Raise the limits or use"
          + " fewer scope names.",
      "Use fewer scope names."),

  RING_WRAPPED(
      Severity.WARNING,
      FindingSource.RECORDING,
      "The ring buffer of events %s (%s). Older events are lost, so an earlier peak does not appear"
          + " on the timeline.",
      FindingAdvice.MORE_ENTRIES),
  RING_WRAPPED_COUNTED(
      RING_WRAPPED,
      Severity.INFO,
      FindingSource.RECORDER,
      "Device %d: the history contains %,d events; %,d older events were overwritten.",
      "Host the allocator with a longer history, at most `vramscope.live.max-events`."),
  REQUEST_MISSING(
      Severity.WARNING,
      FindingSource.RECORDING,
      "A request failed, because the allocator writes a dump at no other time, but the file does"
          + " not contain it. Its size is in the program’s log.",
      "Paste the log of the program on the page *Logs*."),
  TRACE_EMPTY(
      Severity.WARNING,
      FindingSource.RECORDING,
      "No events were recorded. Only the final state is known; there is no timeline and no peak.",
      FindingAdvice.RECORD_EARLIER),
  EVENTS_LOST(
      Severity.WARNING,
      FindingSource.RECORDING,
      "The recording began before the first event of the trace: %s at the end (%s) with a recorded"
          + " stack but without an allocation event. The highest value in the trace is not"
          + " necessarily the peak of the recording.",
      FindingAdvice.MORE_ENTRIES),
  LIVE_BEFORE_RECORDING(
      Severity.WARNING,
      FindingSource.RECORDING,
      "%s in %s live before the first event, and %s freed later. All totals include them%s",
      FindingAdvice.RECORD_EARLIER),
  TIMES_MISSING(
      Severity.INFO,
      FindingSource.RECORDING,
      "%s The timeline is drawn by event number.",
      FindingAdvice.NEWER),
  STACKS_MISSING(
      Severity.WARNING,
      FindingSource.RECORDING,
      "No stack was recorded for %s, so the code that made them is unknown: %s of the %s that were"
          + " allocated in the whole recording.",
      "Record with `context=\"all\"`, the default of PyTorch."),
  REQUESTED_SIZE_UNKNOWN(
      Severity.INFO,
      FindingSource.RECORDING,
      "The requested size of %s (%s) was not recorded. The rounded size is counted instead.",
      FindingAdvice.NEWER),
  RESERVED_UNKNOWN(
      Severity.WARNING,
      FindingSource.RECORDING,
      "Reserved memory over time is unknown: either there are no segments, or they do not match the"
          + " segment events.",
      FindingAdvice.WRITE_AGAIN),
  SEGMENTS_MISSING(
      Severity.WARNING,
      FindingSource.RECORDING,
      "The file has no segments, but %s are live at the end of the trace. Allocated, active and"
          + " reserved bytes at the end are unknown.",
      FindingAdvice.WRITE_AGAIN),
  SETTINGS_UNKNOWN(
      Severity.INFO,
      FindingSource.RECORDING,
      "The allocator's settings were not recorded. The default rules for rounding and splitting are"
          + " assumed.",
      FindingAdvice.NEWER),

  ALLOCATED_WHILE_LIVE(
      Severity.ERROR,
      FindingSource.TRACE,
      TraceFindingText.ALLOCATED_WHILE_LIVE,
      FindingAdvice.REPORT),
  FREE_WITHOUT_ALLOCATION(
      Severity.ERROR,
      FindingSource.TRACE,
      TraceFindingText.FREE_WITHOUT_ALLOCATION,
      FindingAdvice.REPORT),
  FREED_TWICE(
      Severity.ERROR, FindingSource.TRACE, TraceFindingText.FREED_TWICE, FindingAdvice.REPORT),
  COMPLETION_MISSING(
      Severity.ERROR,
      FindingSource.TRACE,
      TraceFindingText.COMPLETION_MISSING,
      FindingAdvice.REPORT),
  FREE_NEVER_REQUESTED(
      Severity.ERROR,
      FindingSource.TRACE,
      TraceFindingText.FREE_NEVER_REQUESTED,
      FindingAdvice.REPORT),
  ACTIVE_THOUGH_FREED(
      Severity.ERROR,
      FindingSource.TRACE,
      TraceFindingText.ACTIVE_THOUGH_FREED,
      FindingAdvice.REPORT),
  MISSING_IN_FINAL_STATE(
      Severity.ERROR,
      FindingSource.TRACE,
      TraceFindingText.MISSING_IN_FINAL_STATE,
      FindingAdvice.REPORT),
  BLOCK_WITHOUT_EVENTS(
      Severity.ERROR,
      FindingSource.TRACE,
      TraceFindingText.BLOCK_WITHOUT_EVENTS,
      FindingAdvice.REPORT),
  SIZE_DIFFERS(
      Severity.ERROR, FindingSource.TRACE, TraceFindingText.SIZE_DIFFERS, FindingAdvice.REPORT),

  SEGMENT_EVENT_MISMATCH(
      Severity.WARNING,
      FindingSource.STATE,
      TraceFindingText.SEGMENT_EVENT_MISMATCH,
      FindingAdvice.FINAL_STATE),
  BLOCK_OUTSIDE_SEGMENT(
      Severity.WARNING,
      FindingSource.STATE,
      TraceFindingText.BLOCK_OUTSIDE_SEGMENT,
      FindingAdvice.FINAL_STATE),
  BLOCK_OVERLAP(
      Severity.WARNING,
      FindingSource.STATE,
      TraceFindingText.BLOCK_OVERLAP,
      FindingAdvice.FINAL_STATE);

  private final String code;
  private final Severity severity;
  private final FindingSource source;
  private final String text;
  private final String advice;

  FindingKind(Severity severity, FindingSource source, String text, String advice) {
    this.code = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.severity = severity;
    this.source = source;
    this.text = text;
    this.advice = advice;
  }

  FindingKind(
      FindingKind same, Severity severity, FindingSource source, String text, String advice) {
    this.code = same.code;
    this.severity = severity;
    this.source = source;
    this.text = text;
    this.advice = advice;
  }

  /** A stable name in lower case with hyphens, such as {@code ring-wrapped}. */
  public String code() {
    return code;
  }

  public Severity severity() {
    return severity;
  }

  public FindingSource source() {
    return source;
  }

  /** The message, with the conversions of {@link java.util.Formatter} for its values. */
  public String text() {
    return text;
  }

  /** What to do about it, in Markdown. */
  public String advice() {
    return advice;
  }

  /**
   * A finding of this kind.
   *
   * @param count number of occurrences, at least 1
   * @param values those of the text, in its order
   */
  public Finding finding(long count, Object... values) {
    return new Finding(severity, code, String.format(Locale.ROOT, text, values), count);
  }

  /** A finding of a kind whose text has the number of occurrences and no other value. */
  public Finding counted(long count) {
    return finding(count, count);
  }

  /** Whether a finding has the code of this kind. */
  public boolean isOf(Finding finding) {
    return finding.code().equals(code);
  }
}
