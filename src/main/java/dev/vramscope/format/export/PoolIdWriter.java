package dev.vramscope.format.export;

import dev.vramscope.model.PoolId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Writes pool ids as pairs of numbers; each distinct id is written once. */
final class PoolIdWriter {
  private final PickleOutput pickle;
  private final Map<PoolId, Integer> memos = new HashMap<>();

  PoolIdWriter(PickleOutput pickle) {
    this.pickle = pickle;
  }

  void write(PoolId pool) throws IOException {
    Integer memo = memos.get(pool);
    if (memo != null) {
      pickle.get(memo);
      return;
    }
    pickle.number(pool.graph());
    pickle.number(pool.user());
    pickle.pair();
    memos.put(pool, pickle.memoize());
  }
}
