package dev.vramscope.explain.message;

/**
 * What a field of a message is about. Those here are of several producers; a producer defines its
 * own beside its messages.
 */
public final class FieldName {
  public static final FieldName BACKEND = new FieldName("backend", "Backend");
  public static final FieldName DEVICE = new FieldName("device", "Device");
  public static final FieldName MODEL = new FieldName("model", "Model");
  public static final FieldName MEMORY_SPACE = new FieldName("memory-space", "Memory space");
  public static final FieldName ALLOCATOR = new FieldName("allocator", "Allocator");
  public static final FieldName OPERATION = new FieldName("operation", "Operation");
  public static final FieldName REASON = new FieldName("reason", "Reason");
  public static final FieldName SHAPE = new FieldName("shape", "Shape");
  public static final FieldName TYPE = new FieldName("type", "Element type");
  public static final FieldName REQUESTED = new FieldName("requested", "Requested");
  public static final FieldName ROUNDED = new FieldName("rounded", "Requested, rounded up");
  public static final FieldName TOTAL = new FieldName("total", "Size of the device");
  public static final FieldName FREE = new FieldName("free", "Free on the device");
  public static final FieldName ALLOWED =
      new FieldName("allowed", "Most that the allocator may reserve");
  public static final FieldName USED = new FieldName("used", "Used");
  public static final FieldName THIS_PROCESS =
      new FieldName("this-process", "In use by this process");
  public static final FieldName PROCESS = new FieldName("process", "In use by process");
  public static final FieldName ALLOCATED =
      new FieldName("allocated", "Allocated by the allocator");
  public static final FieldName ALLOCATED_PEAK = new FieldName("allocated-peak", "Allocated, peak");
  public static final FieldName ACTIVE = new FieldName("active", "Active");
  public static final FieldName ACTIVE_PEAK = new FieldName("active-peak", "Active, peak");
  public static final FieldName CLIENT_REQUESTED =
      new FieldName("client-requested", "Requested by the program");
  public static final FieldName CLIENT_REQUESTED_PEAK =
      new FieldName("client-requested-peak", "Requested by the program, peak");
  public static final FieldName PRIVATE_POOLS =
      new FieldName("private-pools", "Of that, free in private pools");
  public static final FieldName RESERVED = new FieldName("reserved", "Reserved by the allocator");
  public static final FieldName RESERVED_PEAK = new FieldName("reserved-peak", "Reserved, peak");
  public static final FieldName NON_RELEASABLE = new FieldName("non-releasable", "Non-releasable");
  public static final FieldName NON_RELEASABLE_PEAK =
      new FieldName("non-releasable-peak", "Non-releasable, peak");
  public static final FieldName CACHED = new FieldName("cached", "Cached by the allocator");
  public static final FieldName UNALLOCATED =
      new FieldName("unallocated", "Reserved but unallocated");
  public static final FieldName OTHER = new FieldName("other", "Other allocations");
  public static final FieldName POOL = new FieldName("pool", "Pool of the allocator");
  public static final FieldName AVAILABLE =
      new FieldName("available", "Below the limit, not in the pool");
  public static final FieldName FREE_CHUNKS = new FieldName("free-chunks", "In free chunks");
  public static final FieldName LARGEST_FREE = new FieldName("largest-free", "Largest free chunk");
  public static final FieldName LIMIT = new FieldName("limit", "Limit of the allocator");
  public static final FieldName IN_USE = new FieldName("in-use", "In use");
  public static final FieldName IN_USE_PEAK = new FieldName("in-use-peak", "In use, peak");
  public static final FieldName AT_PEAK = new FieldName("at-peak", "At the peak");
  public static final FieldName DURATION = new FieldName("duration", "Duration");
  public static final FieldName IN_USE_CHUNKS = new FieldName("in-use-chunks", "In chunks in use");
  public static final FieldName CHUNKS = new FieldName("chunks", "Chunks in use");
  public static final FieldName HELD_BY = new FieldName("held-by", "In chunks of the program");
  public static final FieldName LARGEST_ALLOCATION =
      new FieldName("largest-allocation", "Largest allocation so far");
  public static final FieldName ALLOCATIONS = new FieldName("allocations", "Allocations so far");
  public static final FieldName PARAMETERS = new FieldName("parameters", "Parameters");
  public static final FieldName CONSTANTS = new FieldName("constants", "Constants");
  public static final FieldName OUTPUTS = new FieldName("outputs", "Outputs");
  public static final FieldName TEMPORARIES = new FieldName("temporaries", "Temporaries");
  public static final FieldName TOTAL_NEEDED = new FieldName("total-needed", "Needed in total");
  public static final FieldName FRAGMENTATION = new FieldName("fragmentation", "Fragmentation");
  public static final FieldName EXCEEDED = new FieldName("exceeded", "More than there is");
  public static final FieldName USAGE = new FieldName("usage", "Needed at least");
  public static final FieldName SYSTEM_RESERVED =
      new FieldName("system-reserved", "Reserved by the system");
  public static final FieldName HOST_USED =
      new FieldName("host-used", "In use of the host’s memory");
  public static final FieldName SHARED_MEMORY = new FieldName("shm", "Size of /dev/shm");
  public static final FieldName PROGRAM = new FieldName("program", "Program");
  public static final FieldName ARGUMENTS = new FieldName("arguments", "Arguments");
  public static final FieldName OUTPUT = new FieldName("output", "Output");
  public static final FieldName GLOBAL = new FieldName("global", "Global");
  public static final FieldName SCOPED = new FieldName("scoped", "Scoped");
  public static final FieldName BUFFER = new FieldName("buffer", "Buffer");
  public static final FieldName BUFFER_NAME = new FieldName("buffer-name", "Buffer");
  public static final FieldName RECORDS = new FieldName("records", "Records");
  public static final FieldName FAILURES = new FieldName("failures", "Failed requests");
  public static final FieldName RETRIES =
      new FieldName("retries", "Retries after emptying the cache");
  public static final FieldName LEFT_OUT = new FieldName("left-out", "Further entries, not listed");

  private final String id;
  private final String label;

  /**
   * A name.
   *
   * @param id in JSON, such as {@code in-use}; the names of one message have different ones
   * @param label for people
   */
  public FieldName(String id, String label) {
    this.id = id;
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** The name in JSON. */
  public String id() {
    return id;
  }

  @Override
  public String toString() {
    return id;
  }
}
