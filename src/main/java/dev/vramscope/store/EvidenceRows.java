package dev.vramscope.store;

import dev.vramscope.evidence.AttachedText;
import dev.vramscope.store.codec.Crc32c;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The texts that users attached. Callers manage the transaction. */
final class EvidenceRows {
  private final JdbcClient jdbc;

  EvidenceRows(JdbcTemplate jdbc) {
    this.jdbc = JdbcClient.create(jdbc);
  }

  /** The texts of a snapshot by their number; empty if one of them is damaged. */
  Optional<List<AttachedText>> find(String id) {
    List<AttachedText> texts = new ArrayList<>();
    List<Long> checksums = new ArrayList<>();
    jdbc.sql(
            "select number, device, gpu, added, text, checksum from evidence where snapshot_id = ?"
                + " order by number")
        .param(id)
        .query(
            row -> {
              texts.add(
                  new AttachedText(
                      row.getInt(1),
                      row.getInt(2),
                      row.getObject(3, Integer.class),
                      row.getObject(4, OffsetDateTime.class).toInstant(),
                      row.getString(5)));
              checksums.add(row.getLong(6));
            });
    boolean isIntact = checksums.equals(texts.stream().map(EvidenceRows::checksum).toList());
    return isIntact ? Optional.of(texts) : Optional.empty();
  }

  /** Writes the texts of a snapshot in place of all others. */
  void replace(String id, List<AttachedText> texts) {
    jdbc.sql("delete from evidence where snapshot_id = ?").param(id).update();
    for (AttachedText text : texts) {
      jdbc.sql(
              "insert into evidence (snapshot_id, number, device, gpu, added, text, checksum)"
                  + " values (?, ?, ?, ?, ?, ?, ?)")
          .params(
              Arrays.asList(
                  id,
                  text.number(),
                  text.device(),
                  text.gpu(),
                  text.added().atOffset(ZoneOffset.UTC),
                  text.text(),
                  checksum(text)))
          .update();
    }
  }

  private static long checksum(AttachedText text) {
    return Crc32c.of(
        (text.number()
                + "\n"
                + text.device()
                + "\n"
                + text.gpu()
                + "\n"
                + text.added().toEpochMilli()
                + "\n"
                + text.text())
            .getBytes(StandardCharsets.UTF_8));
  }
}
