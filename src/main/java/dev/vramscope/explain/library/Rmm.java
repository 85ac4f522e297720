package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** RAPIDS' memory manager: its exceptions and its event log. */
public final class Rmm implements MessageProducer {
  /** A failed request. */
  public static final MessageKind RMM =
      MessageKind.failure(
          "rmm", Memory.DEVICE, "RMM", "a failed request of RAPIDS’ memory manager (RMM)");

  private static final MessageKind RMM_LOG =
      MessageKind.measurement(
          "rmm-log", Memory.DEVICE, "RMM", "an event log of RAPIDS’ memory manager (RMM)");

  /** Lines between the log of a failure and its exception. */
  private static final int REACH = 200;

  /** Why RMM had no memory, as its exceptions and its log write it. */
  private static final String RMM_REASON =
      "([Mm]aximum pool size exceeded|cudaErrorMemoryAllocation|not enough room)";

  /** Before the size of the pool, its maximum and the request, as releases since 25.02 write. */
  private static final String ROOM = "current/max/try size = ";

  @Override
  public String name() {
    return "RMM (RAPIDS)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                RMM,
                "std::bad_alloc: (?:(?!std::bad_a).){0,400}?" + RMM_REASON,
                "aximum pool size exceeded",
                "cudaErrorMemoryAllocation",
                "not enough room")
            .bytes(FieldName.REQUESTED, "failed to allocate " + SIZE)
            .bytes(FieldName.POOL, ROOM + SIZE)
            .bytes(FieldName.LIMIT, ROOM + "[^,]{1,40}, " + SIZE)
            .words(FieldName.REASON, RMM_REASON),
        MessageForm.of(
                RMM, "\\[A\\]\\[Stream [^\\]]{1,40}\\]\\[Upstream .{1,60}\\[FAILURE ", "[FAILURE ")
            .bytes(FieldName.REQUESTED, "\\[Upstream " + SIZE)
            .bytes(FieldName.POOL, ROOM + SIZE)
            .bytes(FieldName.LIMIT, ROOM + "[^,]{1,40}, " + SIZE)
            .words(FieldName.REASON, "\\[FAILURE ([^\\]:]{1,100})"),
        MessageForm.of(
                RMM_LOG,
                "Thread,Time,Action,Pointer,Size,Stream|Event Type,Device ID,Address,Stream,",
                "Thread,Time,Action",
                "Event Type,Device ID")
            .part(RmmRecords.ROW, ",allocate", ",free,", "Alloc,", "Free,", "Realloc,")
            .count(FieldName.RECORDS, RmmRecords.ROW)
            .count(FieldName.FAILURES, RmmRecords.FAILURE)
            .bytes(FieldName.TOTAL, RmmRecords.LEGACY_TOTAL + RmmRecords.BYTES)
            .bytes(FieldName.REQUESTED, ",allocate failure,[^,\\s]{1,20}," + RmmRecords.BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "MemoryError: std::bad_alloc: out_of_memory: RMM failure"
            + " at:/rmm/mr/device/pool_memory_resource.hpp:243: Maximum pool size exceeded",
        "[2026-02-11 10:33:02.114] [RMM] [error] [A][Stream 0x1][Upstream 6442450944B][FAILURE"
            + " maximum pool size exceeded: Not enough room to grow, current/max/try size ="
            + " 20.000000 GiB, 22.000000 GiB, 6.000000 GiB]");
  }

  /** The log has the request, and the exception that follows from it. */
  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return failures.reversed().stream()
        .filter(failure -> message.kind() == RMM && failure.first().kind() == RMM)
        .filter(failure -> failure.last().process().equals(message.process()))
        .filter(failure -> message.line() - failure.last().line() <= REACH)
        .filter(failure -> mayBeSame(failure.first(), message))
        .findFirst();
  }

  private static boolean mayBeSame(LogMessage one, LogMessage other) {
    Optional<Quantity> a = one.quantity(FieldName.REQUESTED);
    Optional<Quantity> b = other.quantity(FieldName.REQUESTED);
    return a.isEmpty()
        || b.isEmpty()
        || (a.get().leastBytes() <= b.get().mostBytes()
            && b.get().leastBytes() <= a.get().mostBytes());
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == RMM_LOG) {
      rmmLog(message, conclusion, message.ofRequested());
    } else {
      rmm(new Facts(failure), conclusion);
    }
    return conclusion.build();
  }

  private static void rmm(Facts failure, Conclusion.Builder conclusion) {
    String size =
        failure.quantity(FieldName.REQUESTED).map(Amounts::text).map(" of "::concat).orElse("");
    Optional<Quantity> pool = failure.quantity(FieldName.POOL);
    Optional<Quantity> limit = failure.quantity(FieldName.LIMIT);
    boolean isPool =
        failure.written(FieldName.REASON).filter(reason -> reason.contains("exceeded")).isPresent();
    conclusion.headline(
        isPool
            ? "RMM’s pool could not grow" + (size.isEmpty() ? "" : " by a piece" + size) + "."
            : "RMM got no memory from the driver" + size + ".");
    if (pool.isPresent() && limit.isPresent()) {
      conclusion
          .certain(
              "The pool had "
                  + Amounts.text(pool.get())
                  + " of its maximum of "
                  + Amounts.text(limit.get())
                  + ", so it could grow by "
                  + Amounts.text(Amounts.difference(limit.get(), pool.get()))
                  + " at most: its own maximum refused the request, not the device.")
          .total(limit)
          .share(Share.Kind.UNKNOWN, "Held by the pool, in use or free in pieces", pool)
          .share(Share.Kind.FREE, "Below the maximum", Amounts.minus(limit, pool));
    } else if (isPool) {
      conclusion.certain(
          "The pool has a maximum size, and it was reached, or the driver gave no piece of that"
              + " size; the message is the same for both.");
    }
    if (isPool) {
      conclusion
          .remedy(
              "Raise the maximum, if the device has more; by default it is the memory that is free"
                  + " when the pool is created.",
              "rmm.reinitialize(pool_allocator=True, maximum_pool_size=…)")
          .remedy(
              "Or work on less at once: fewer columns, partitions (dask-cudf), or spilling to the"
                  + " host.",
              "cudf.set_option(\"spill\", True)");
    }
    conclusion
        .unknown(
            (pool.isPresent() ? "What the pool holds" : "How large the pool is, what it holds")
                + ", and how much of the device was free.")
        .next(
            new Advice(
                "Log the events; the log shows what was live at the failure.",
                "rmm.reinitialize(logging=True, log_file_name=\"rmm_log.csv\")"))
        .next(CollectionAdvice.PROCESSES);
  }

  private static void rmmLog(LogMessage message, Conclusion.Builder conclusion, String size) {
    String records = message.written(FieldName.RECORDS).orElse("0");
    String failures = message.written(FieldName.FAILURES).orElse("0");
    if (records.equals("0")) {
      conclusion
          .headline("The header of an event log of RMM, without an event that can be read.")
          .unknown("What was allocated: RMM writes its log in large pieces, and none is here.")
          .next(
              new Advice(
                  "Free the pool or end the program before copying the log, and upload it on the"
                      + " dashboard.",
                  ""));
      return;
    }
    conclusion.headline(
        "An event log of RMM with "
            + records
            + (records.equals("1") ? " event, " : " events, ")
            + (failures.equals("0") ? "none" : failures)
            + " of them a failed request"
            + (failures.equals("1") ? size : "")
            + ".");
    conclusion
        .unknown(
            (failures.equals("0") ? "" : "Why a request failed. ")
                + (message.quantity(FieldName.TOTAL).isPresent()
                    ? "How large the pool is."
                    : "How large the device and the pool are.")
                + " The end of the log may be missing, because RMM writes it in large pieces.")
        .next(
            new Advice(
                "Upload the log as a file on the dashboard: it opens as a trace, with a timeline of"
                    + " the memory and what was live at each moment.",
                ""));
  }
}
