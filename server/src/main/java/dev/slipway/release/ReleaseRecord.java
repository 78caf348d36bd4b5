package dev.slipway.release;

import dev.slipway.core.EnvVars;
import dev.slipway.core.ProjectId;
import java.util.List;

/**
 * What is kept of a release beside its files: how to start it.
 *
 * @param start the program to run, as an argument vector
 * @param startEnv what it gets unless the user set it
 */
public record ReleaseRecord(
    Release release, ProjectId projectId, String framework, List<String> start, EnvVars startEnv) {}
