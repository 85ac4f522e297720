package dev.vramscope.live.lab;

/** One operation of a script. {@link #text} is its line; {@link Script} reads it. */
public sealed interface Operation {
  /** The line of a script. */
  String text();

  /**
   * Allocates a block.
   *
   * @param id the number by which later operations name the block
   */
  record Allocate(long id, long bytes, int stream) implements Operation {
    @Override
    public String text() {
      return "malloc " + id + " " + bytes + " " + stream;
    }
  }

  /** Frees a block. */
  record Free(long id) implements Operation {
    @Override
    public String text() {
      return "free " + id;
    }
  }

  /** Tells the allocator that work on a stream uses a block: {@code tensor.record_stream}. */
  record RecordStream(long id, int stream) implements Operation {
    @Override
    public String text() {
      return "record_stream " + id + " " + stream;
    }
  }

  /** Starts a kernel on a stream that uses a block. */
  record Launch(long id, int stream) implements Operation {
    @Override
    public String text() {
      return "launch " + id + " " + stream;
    }
  }

  /** The oldest kernel of a stream finishes. */
  record Finish(int stream) implements Operation {
    @Override
    public String text() {
      return "finish " + stream;
    }
  }

  /** All kernels of a stream finish. */
  record Synchronize(int stream) implements Operation {
    @Override
    public String text() {
      return "sync " + stream;
    }
  }

  /** All kernels of all streams finish. */
  record SynchronizeAll() implements Operation {
    @Override
    public String text() {
      return "sync_all";
    }
  }

  /** Releases unused cached memory to the device: {@code torch.cuda.empty_cache()}. */
  record EmptyCache() implements Operation {
    @Override
    public String text() {
      return "empty_cache";
    }
  }

  /** Other programs hold this much of the device from now on. */
  record External(long bytes) implements Operation {
    @Override
    public String text() {
      return "external " + bytes;
    }
  }

  /** Limits the allocator to a share of the device. */
  record SetFraction(double fraction) implements Operation {
    @Override
    public String text() {
      return "set_fraction " + fraction;
    }
  }

  /** Names what follows, such as a training step; no operation of an allocator. */
  record Label(String label) implements Operation {
    @Override
    public String text() {
      return label.isEmpty() ? "#" : "# " + label;
    }
  }
}
