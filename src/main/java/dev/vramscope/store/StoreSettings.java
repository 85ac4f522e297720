package dev.vramscope.store;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Where the store lives.
 *
 * @param dataDir the folder of the database and the spool; created when missing
 * @param minFree an upload that would leave less free space on its disk is refused, so that the
 *     database never meets a full disk
 */
@ConfigurationProperties("vramscope")
public record StoreSettings(
    @DefaultValue("./data") Path dataDir, @DefaultValue("64MB") DataSize minFree) {}
