package dev.slipway.dashboard;

import java.util.Optional;

/**
 * What the program prints that serves a project.
 *
 * @param log absent where no program does
 * @param none why there is none; empty where there is one
 */
public record ProgramLogPage(ProjectHead head, Optional<LogView> log, String none) {}
