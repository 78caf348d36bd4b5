package dev.slipway.api;

import dev.slipway.upload.Upload;
import dev.slipway.upload.Uploads;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /uploads}. */
final class UploadOperations implements Operations {
  private final Uploads uploads;

  UploadOperations(Uploads uploads) {
    this.uploads = uploads;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of("createUpload", this::create);
  }

  record View(String id, long sizeBytes, String sha256, Instant createdAt, Instant expiresAt) {}

  private Answer create(Call call) {
    Optional<String> disposition =
        Optional.ofNullable(call.context().request().getHeader(FileName.HEADER));
    Upload upload =
        uploads.keep(call.account(), FileBody.of(call.context()), FileName.of(disposition));
    return Answer.created(
        new View(
            upload.id().value(),
            upload.sizeBytes(),
            upload.sha256(),
            upload.createdAt(),
            upload.keptUntil()));
  }
}
