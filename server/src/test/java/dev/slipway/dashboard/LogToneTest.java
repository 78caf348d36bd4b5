package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.runlog.LogLevel;
import java.util.concurrent.atomic.AtomicLong;
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

  @ParameterizedTest
  @ValueSource(strings = {"x error 1", "x error[a", "-", "error a1b", " ", "npm err"})
  void aLongLineTakesNoMoreStepsThanItsBegin(String piece) {
    String begin = piece.substring(0, piece.length() - 1);
    Counted line = new Counted(begin + piece.substring(piece.length() - 1).repeat(64 << 10));
    Counted often = new Counted(piece.repeat(10_000));

    LogTone.of(LogLevel.INFO, line);
    LogTone.of(LogLevel.INFO, often);

    assertThat(line.steps.get()).isBetween(1L, 50_000L);
    assertThat(often.steps.get()).isBetween(1L, 50_000L);
  }

  @Test
  void whatStandsFarBehindInALineCountsNoMore() {
    assertThat(LogTone.of(LogLevel.INFO, " ".repeat(900) + "error: no")).isEqualTo("error");
    assertThat(LogTone.of(LogLevel.INFO, " ".repeat(1_000) + "error: no")).isEmpty();
  }

  @Test
  void theLevelCountsWhereItSaysMoreThanInfoAndCommandsStandOut() {
    assertThat(LogTone.of(LogLevel.SUCCESS, "error: none")).isEqualTo("success");
    assertThat(LogTone.of(LogLevel.WARNING, "all is well")).isEqualTo("warning");
    assertThat(LogTone.of(LogLevel.INFO, "$ npm run error")).isEqualTo("cmd");
  }

  /** Counts how often it is looked at. */
  private record Counted(String text, AtomicLong steps) implements CharSequence {
    Counted(String text) {
      this(text, new AtomicLong());
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      steps.incrementAndGet();
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.substring(start, end), steps);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
