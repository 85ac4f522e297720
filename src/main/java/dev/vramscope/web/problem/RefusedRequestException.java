package dev.vramscope.web.problem;

import dev.vramscope.format.FormatException;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.SentenceCase;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** A request for something that does not exist, or with invalid values. */
public final class RefusedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of error; {@link ProblemAdvice} maps it to a status. */
  public enum Kind {
    NOT_FOUND("Not found"),
    BAD_PARAMETER("Bad parameter"),
    NOT_RECORDED("Not in this file"),
    EVIDENCE("Evidence not accepted"),
    TEXT("Text not accepted"),
    TEXT_TOO_LONG("Text too long"),
    UNSUPPORTED_ENCODING("Unsupported encoding"),
    NOTHING_UPLOADED("Nothing uploaded"),
    OUT_OF_DEVICE_MEMORY("Out of device memory"),
    SETTINGS("Settings not accepted"),
    NOT_REPLAYABLE("Cannot be replayed"),
    NOT_PLANNABLE("Cannot be planned"),
    BUSY("Busy");

    private final String title;

    Kind(String title) {
      this.title = title;
    }
  }

  private final Kind kind;
  private final String where;
  private final String next;
  private final String page;

  private RefusedRequestException(Kind kind, String what, String where, String next) {
    this(kind, what, where, next, /* page= */ "");
  }

  private RefusedRequestException(Kind kind, String what, String where, String next, String page) {
    super(what);
    this.kind = kind;
    this.where = where;
    this.next = next;
    this.page = page;
  }

  public static RefusedRequestException notFound(String what, String where, String next) {
    return new RefusedRequestException(Kind.NOT_FOUND, what, where, next);
  }

  public static RefusedRequestException noSnapshot(String id) {
    return notFound(
        "There is no snapshot " + id,
        "/api/v1/snapshots/" + id,
        "It may have been deleted. GET /api/v1/snapshots lists the stored snapshots.");
  }

  /** A log has a page of its own, and none of those of snapshots. */
  public static RefusedRequestException isLog(String id) {
    return notFound(
        "What is stored as " + id + " is a log, not a snapshot",
        "/api/v1/snapshots/" + id,
        "GET /api/v1/logs/" + id + " explains it; its page is /logs/" + id + ".");
  }

  public static RefusedRequestException isCompiled(String id) {
    return notFound(
        "What is stored as " + id + " is a compiled program, not a snapshot",
        "/api/v1/snapshots/" + id,
        "GET /api/v1/compiled/" + id + " has its numbers; its page is /compiled/" + id + ".");
  }

  public static RefusedRequestException notCompiled(String id, String page) {
    return notFound(
        "What is stored as " + id + " is no compiled program",
        "/api/v1/compiled/" + id,
        "Its page is " + page + ".");
  }

  public static RefusedRequestException badParameter(String name, Object value, String allowed) {
    return new RefusedRequestException(
        Kind.BAD_PARAMETER,
        name + " is " + value,
        "parameter " + name,
        "Allowed: " + allowed + ".");
  }

  /** A request about the memory of a GPU that names pinned host memory. */
  public static RefusedRequestException notOfHost() {
    return new RefusedRequestException(
        Kind.NOT_RECORDED,
        "This is not known of pinned host memory, only of the memory of a GPU",
        "parameter device",
        "Choose a GPU. Pinned host memory has a timeline, events, segments, sites and a flame"
            + " graph.");
  }

  /** A request about what a device's file does not contain. */
  public static RefusedRequestException notOf(DeviceSnapshot device) {
    return notOf(device, /* postMortem= */ "");
  }

  /**
   * A request about what a device's file does not contain.
   *
   * @param postMortem URL of the page about its failed request
   */
  public static RefusedRequestException notOf(DeviceSnapshot device, String postMortem) {
    RecordingKind kind = device.kind();
    if (kind == RecordingKind.PROFILE) {
      return notOfProfile();
    }
    if (device.facts().isOfXla() && kind != RecordingKind.DUMP) {
      return new RefusedRequestException(
          Kind.NOT_RECORDED,
          "The summary has the counters of PyTorch's allocator, and this is one of XLA",
          "",
          "Its overview has the totals, and its regions the chunks by bin.",
          postMortem);
    }
    return kind == RecordingKind.DUMP
        ? new RefusedRequestException(
            Kind.NOT_RECORDED,
            "A dump has one moment and no run that led to it, so nothing changes over time and"
                + " nothing can be replayed",
            "",
            "Its post-mortem says what is known of the request that failed.",
            postMortem)
        : new RefusedRequestException(
            Kind.NOT_RECORDED,
            "The file has requests and frees, but not the segments that served them, so what the"
                + " allocator held is unknown",
            "",
            "Open its timeline, events or sites.");
  }

  /** A request about what a profile does not contain. */
  public static RefusedRequestException notOfProfile() {
    return new RefusedRequestException(
        Kind.NOT_RECORDED,
        "A profile has live buffers and their stacks, but no addresses, no events and no free"
            + " memory",
        "",
        "Open its overview, sites or flame graph, or compare it with another one.");
  }

  /** A comparison needs two snapshots. */
  public static RefusedRequestException notTwoSnapshots(int count) {
    return new RefusedRequestException(
        Kind.BAD_PARAMETER,
        switch (count) {
          case 0 -> "No snapshot is selected";
          case 1 -> "One snapshot is selected";
          default -> count + " snapshots are selected";
        },
        "parameter id",
        "Select exactly two snapshots in the list, then Compare.");
  }

  /** A series needs two snapshots of one process. */
  public static RefusedRequestException noSeries(String what) {
    return new RefusedRequestException(
        Kind.BAD_PARAMETER,
        what,
        "parameters id, job, rank, host",
        "Select two or more snapshots of one process in the list, then Series; or name their job:"
            + " /series?job=JOB.");
  }

  /** A text about a device that is not recognized, or that the recording contradicts. */
  public static RefusedRequestException badEvidence(String what, String where, String next) {
    return new RefusedRequestException(Kind.EVIDENCE, what, where, next);
  }

  /** Nothing to explain. */
  public static RefusedRequestException noText() {
    return new RefusedRequestException(
        Kind.TEXT,
        "There is no text",
        "the text",
        "Paste the message of the failed request, or choose a file with the log.");
  }

  /** A file that is no text; what it is instead. */
  public static RefusedRequestException notText(FormatException refused, String where) {
    return new RefusedRequestException(
        Kind.TEXT, "It is not a text: " + refused.what(), where, UploadProblems.next(refused));
  }

  /** A form with a file where the body is the text itself. */
  public static RefusedRequestException multipart() {
    return new RefusedRequestException(
        Kind.TEXT,
        "The body is a multipart form, but this request takes the text itself",
        "Content-Type",
        "Send the file without a form: curl --data-binary @FILE, not -F.");
  }

  /** A text that is longer than a log has to be. */
  public static RefusedRequestException textTooLong(String what, String where, String next) {
    return new RefusedRequestException(Kind.TEXT_TOO_LONG, SentenceCase.of(what), where, next);
  }

  /** A member of a JSON body. */
  public static RefusedRequestException badMember(String member, String what, String next) {
    return new RefusedRequestException(
        Kind.BAD_PARAMETER, member + " " + what, "member " + member, next);
  }

  /** Settings that an allocator does not accept. */
  public static RefusedRequestException badSettings(String what, String where, String next) {
    return new RefusedRequestException(Kind.SETTINGS, what, where, next);
  }

  /** A snapshot without what a replay needs. */
  public static RefusedRequestException notReplayable(String what, String where, String next) {
    return new RefusedRequestException(Kind.NOT_REPLAYABLE, what, where, next);
  }

  /** Recordings from which nothing can be planned. */
  public static RefusedRequestException notPlannable(String what, String next) {
    return new RefusedRequestException(Kind.NOT_PLANNABLE, what, "", next);
  }

  /** A limit on work in progress. */
  public static RefusedRequestException busy(String what, String next) {
    return new RefusedRequestException(Kind.BUSY, what, "", next);
  }

  public static RefusedRequestException unsupportedEncoding(String encoding) {
    return new RefusedRequestException(
        Kind.UNSUPPORTED_ENCODING,
        "Content-Encoding " + encoding + " is not supported",
        "header Content-Encoding",
        "Send the file uncompressed, or compressed with gzip or zstd.");
  }

  public static RefusedRequestException nothingUploaded(String where) {
    return new RefusedRequestException(
        Kind.NOTHING_UPLOADED,
        "The request contains no file",
        where,
        "Send the file as the body (curl --data-binary @FILE), or as a multipart file (curl -F"
            + " file=@FILE).");
  }

  public static RefusedRequestException badWorkload(String member, String message) {
    return new RefusedRequestException(
        Kind.BAD_PARAMETER, message, member, "GET /api/v1/workloads lists the workloads.");
  }

  /**
   * A hosted allocator is out of memory.
   *
   * @param page URL of the post-mortem, or null
   * @param snapshotNote a sentence on what was stored
   */
  public static RefusedRequestException outOfMemory(
      String what, @Nullable String page, String snapshotNote) {
    return new RefusedRequestException(
        Kind.OUT_OF_DEVICE_MEMORY,
        what,
        "",
        snapshotNote
            + (page == null ? "" : " See instance for its post-mortem.")
            + " Free blocks or empty the cache, then retry.",
        page == null ? "" : page);
  }

  /** For a page that opens without what was asked for wrongly. */
  public String sentences() {
    return SentenceCase.of(String.valueOf(getMessage())) + ". " + next;
  }

  public Problem problem(HttpStatus status) {
    return Problem.of(status, kind.title, String.valueOf(getMessage()), where, next)
        .withInstance(page);
  }

  public Kind kind() {
    return kind;
  }
}
