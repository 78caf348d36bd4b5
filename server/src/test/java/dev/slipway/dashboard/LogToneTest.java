package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.runlog.LogLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogToneTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "npm ERR! code ELIFECYCLE",
        "npm error Missing script: \"build\"",
        "Error: Cannot find module 'express'",
        "TypeError: Cannot read properties of undefined",
        "src/app.ts(3,7): error TS2322: Type 'string' is not assignable",
        "  ✘ [ERROR] Could not resolve \"./x\"",
        "Failed to compile.",
        "fatal: not a git repository",
        "Traceback (most recent call last):",
        "error[E0425]: cannot find value",
      })
  void aLineThatTellsOfAnErrorIsOne(String line) {
    assertThat(LogTone.of(LogLevel.INFO, line)).isEqualTo("error");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Compiled with 0 errors",
        "found 0 vulnerabilities",
        "├ ○ /_error   194 B",
        "error-page.js  12 kB",
        "errors/index.html",
        "added 384 packages in 14s",
      })
  void aLineThatMerelyHasTheWordIsNone(String line) {
    assertThat(LogTone.of(LogLevel.INFO, line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"npm warn deprecated glob@7.2.3: no longer supported", "(!) Warning: big chunk"})
  void aWarningIsOne(String line) {
    assertThat(LogTone.of(LogLevel.INFO, line)).isEqualTo("warning");
  }

  @Test
  void theLevelCountsWhereItSaysMoreThanInfoAndCommandsStandOut() {
    assertThat(LogTone.of(LogLevel.SUCCESS, "error: none")).isEqualTo("success");
    assertThat(LogTone.of(LogLevel.WARNING, "all is well")).isEqualTo("warning");
    assertThat(LogTone.of(LogLevel.INFO, "$ npm run error")).isEqualTo("cmd");
  }
}
