package dev.vramscope.replay;

/** The syntax of trace operations, for error messages. */
enum Grammar {
  CACHING(
      """
      malloc ID BYTES STREAM
      allocate ID BYTES
      malloc_at ID BYTES STREAM ADDRESS
      free ID
      record_stream ID STREAM
      sync STREAM
      sync_all
      advance STREAM COUNT
      empty_cache [POOL POOL]
      set_fraction FRACTION
      get_fraction
      external BYTES
      stats
      snapshot [POOL POOL]
      snapshot_full
      reset_peak
      reset_accumulated
      record_history on [MAX [CLEAR [SKIPPED...]]] | off
      set_config SETTINGS
      pool_create POOL POOL
      pool_begin POOL POOL [*|STREAM]
      pool_end POOL POOL
      pool_release POOL POOL
      pool_use_on_oom POOL POOL 0|1
      pool_no_split POOL POOL
      pool_use_count POOL POOL
      capture_begin STREAM POOL POOL
      capture_join STREAM POOL POOL
      capture_end POOL POOL
      set_stream STREAM
      metadata TEXT
      annotate ID TEXT
      external_annotation KEY TEXT
      compile_push TEXT
      compile_pop
      cache_info BYTES
      base_alloc ID
      mem_info
      expandable_sizes
      device_calls
      """),
  BFC(
      """
      malloc ID BYTES [ALIGN] [align=N] [retry=0|1] [end=lower|upper] [freed_by=N]
      free ID
      stats
      statstext
      snapshot
      memmap
      occupancy
      device
      dump BYTES [upper]
      clearstats
      capacity BYTES
      maxblock BYTES
      opname NAME | -
      scope push NAME [KEY=VALUE...] | pop
      counter on
      frontier COUNT
      """);

  private final String lines;

  Grammar(String lines) {
    this.lines = lines;
  }

  /** The syntax of the operation, or the names of all operations if it does not exist. */
  String hint(String operation) {
    return lines
        .lines()
        .filter(line -> operationOf(line).equals(operation))
        .findFirst()
        .map(line -> "Syntax: " + line)
        .orElseGet(
            () ->
                "Operations: "
                    + String.join(" ", lines.lines().map(Grammar::operationOf).toList()));
  }

  private static String operationOf(String line) {
    return line.split(" ", 2)[0];
  }
}
