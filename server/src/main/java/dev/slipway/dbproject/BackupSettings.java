package dev.slipway.dbproject;

import java.nio.file.Path;
import java.time.Duration;

/**
 * @param directory where backups are
 * @param every how often each database that we made is backed up
 * @param keep for how long
 * @param minFreeBytes what a backup leaves of the disk
 */
public record BackupSettings(Path directory, Duration every, Duration keep, long minFreeBytes) {}
