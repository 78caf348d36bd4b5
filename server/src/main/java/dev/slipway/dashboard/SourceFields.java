package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.project.Project;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Where the code of a new project comes from, as it was filled in.
 *
 * @param kind {@code git} or {@code zip}
 * @param host the kind of a git host of the configuration
 * @param uploadId of an archive; empty where none was uploaded
 * @param uploadName what the archive's file is called
 * @param rootDirectory in which the application is; empty where it is found out
 */
public record SourceFields(
    String kind,
    String host,
    String repo,
    String branch,
    String uploadId,
    String uploadName,
    String rootDirectory) {
  private static final String ZIP = "zip";

  static SourceFields of(Form form) {
    return of(form::text);
  }

  /** As an address has them, to come back to. */
  static SourceFields of(Visit visit) {
    return of(name -> visit.query(name).orElse(""));
  }

  private static SourceFields of(Function<String, String> text) {
    return new SourceFields(
        text.apply("kind").equals(ZIP) ? ZIP : "git",
        text.apply("source"),
        text.apply("repo"),
        text.apply("branch"),
        text.apply("upload_id"),
        text.apply("upload_name"),
        text.apply("root_directory"));
  }

  public boolean isZip() {
    return kind.equals(ZIP);
  }

  /** For people: the repository, or the archive. */
  public String title() {
    if (!isZip()) {
      return repo;
    }
    return uploadName.isEmpty() ? "A zip archive" : uploadName;
  }

  /** What a project of it is called if nobody says otherwise. */
  String projectName() {
    String file = isZip() ? uploadName.replaceFirst("(?i)\\.zip$", "") : repo;
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /** What the address of the first page is, with these filled in. */
  public String path() {
    return "%s/new?kind=%s&source=%s&repo=%s&branch=%s&upload_id=%s&upload_name=%s&root_directory=%s"
        .formatted(
            Site.BASE,
            kind,
            encoded(host),
            encoded(repo),
            encoded(branch),
            encoded(uploadId),
            encoded(uploadName),
            encoded(rootDirectory));
  }

  /** The fields of {@code createMigration}. */
  void addTo(ObjectNode body) {
    if (isZip()) {
      if (uploadId.isEmpty()) {
        throw new RequestException(
            ErrorCode.INVALID_REQUEST, "No archive is uploaded yet: choose a zip first.");
      }
      body.put("source", Project.ZIP).put("upload_id", uploadId);
      return;
    }
    body.put("source", host).put("repo", repo);
    if (!branch.isEmpty()) {
      body.put("branch", branch);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
