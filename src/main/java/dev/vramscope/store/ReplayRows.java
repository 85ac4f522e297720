package dev.vramscope.store;

import dev.vramscope.store.codec.Crc32c;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The results of replays. Callers manage the transaction. */
final class ReplayRows {
  /** The largest number of results of a snapshot; further ones are not stored. */
  private static final int MAX_PER_SNAPSHOT = 2000;

  private final JdbcClient jdbc;

  ReplayRows(JdbcTemplate jdbc) {
    this.jdbc = JdbcClient.create(jdbc);
  }

  /** The intact results of a version of the engine, by their request. */
  Map<String, String> find(String id, int engine) {
    Map<String, String> results = new HashMap<>();
    jdbc.sql("select request, result, checksum from replays where snapshot_id = ? and engine = ?")
        .param(id)
        .param(engine)
        .query(
            row -> {
              String request = row.getString(1);
              String result = row.getString(2);
              if (checksum(request, result) == row.getLong(3)) {
                results.put(request, result);
              }
            });
    return results;
  }

  /** Writes one result, and removes those of other versions; nothing if the snapshot is gone. */
  void put(String id, int engine, String request, String result) {
    jdbc.sql("delete from replays where snapshot_id = ? and (engine <> ? or request = ?)")
        .param(id)
        .param(engine)
        .param(request)
        .update();
    jdbc.sql(
            """
            insert into replays (snapshot_id, request, engine, result, checksum)
            select id, ?, ?, ?, ? from snapshots
            where id = ? and (select count(*) from replays where snapshot_id = ?) < ?
            """)
        .param(request)
        .param(engine)
        .param(result)
        .param(checksum(request, result))
        .param(id)
        .param(id)
        .param(MAX_PER_SNAPSHOT)
        .update();
  }

  private static long checksum(String request, String result) {
    return Crc32c.of((request + "\n" + result).getBytes(StandardCharsets.UTF_8));
  }
}
