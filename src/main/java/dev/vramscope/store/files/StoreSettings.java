package dev.vramscope.store.files;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the store.
 *
 * @param dataDir the folder of the database and the spool; created if it does not exist
 * @param minFree an upload that would leave less free space on the disk is rejected, so that the
 *     database does not run into a full disk
 */
@ConfigurationProperties("vramscope")
public record StoreSettings(
    @DefaultValue("./data") Path dataDir, @DefaultValue("64MB") DataSize minFree) {}
