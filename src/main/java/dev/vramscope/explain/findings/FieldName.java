package dev.vramscope.explain.findings;

import java.util.Locale;

/** What a field of a message is about. */
public enum FieldName {
  BACKEND("Backend"),
  DEVICE("Device"),
  MODEL("Model"),
  MEMORY_SPACE("Memory space"),
  ALLOCATOR("Allocator"),
  OPERATION("Operation"),
  REASON("Reason"),
  SHAPE("Shape"),
  TYPE("Element type"),
  REQUESTED("Requested"),
  ROUNDED("Requested, rounded up"),
  TOTAL("Size of the device"),
  FREE("Free on the device"),
  ALLOWED("Most that the allocator may reserve"),
  USED("Used"),
  THIS_PROCESS("In use by this process"),
  PROCESS("In use by process"),
  ALLOCATED("Allocated by the allocator"),
  ALLOCATED_PEAK("Allocated, peak"),
  ACTIVE("Active"),
  ACTIVE_PEAK("Active, peak"),
  CLIENT_REQUESTED("Requested by the program"),
  CLIENT_REQUESTED_PEAK("Requested by the program, peak"),
  PRIVATE_POOLS("Of that, free in private pools"),
  RESERVED("Reserved by the allocator"),
  RESERVED_PEAK("Reserved, peak"),
  NON_RELEASABLE("Non-releasable"),
  NON_RELEASABLE_PEAK("Non-releasable, peak"),
  CACHED("Cached by the allocator"),
  UNALLOCATED("Reserved but unallocated"),
  OTHER("Other allocations"),
  POOL("Pool of the allocator"),
  AVAILABLE("Below the limit, not in the pool"),
  FREE_CHUNKS("In free chunks"),
  LARGEST_FREE("Largest free chunk"),
  LIMIT("Limit of the allocator"),
  IN_USE("In use"),
  IN_USE_PEAK("In use, peak"),
  AT_PEAK("At the peak"),
  DURATION("Duration"),
  IN_USE_CHUNKS("In chunks in use"),
  CHUNKS("Chunks in use"),
  HELD_BY("In chunks of the program"),
  LARGEST_ALLOCATION("Largest allocation so far"),
  ALLOCATIONS("Allocations so far"),
  PARAMETERS("Parameters"),
  CONSTANTS("Constants"),
  OUTPUTS("Outputs"),
  TEMPORARIES("Temporaries"),
  TOTAL_NEEDED("Needed in total"),
  FRAGMENTATION("Fragmentation"),
  EXCEEDED("More than there is"),
  USAGE("Needed at least"),
  SYSTEM_RESERVED("Reserved by the system"),
  PROGRAM("Program"),
  ARGUMENTS("Arguments"),
  OUTPUT("Output"),
  GLOBAL("Global"),
  SCOPED("Scoped"),
  BUFFER("Buffer"),
  BUFFER_NAME("Buffer"),
  RECORDS("Records"),
  FAILURES("Failed requests"),
  RETRIES("Retries after emptying the cache"),
  LEFT_OUT("Further entries, not listed");

  private final String label;

  FieldName(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** The name in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
