package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.Dumps;
import dev.slipway.runlog.Masker;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Dumps whose programs may say a password: nobody reads it. */
record MaskedDumps(Dumps dumps) implements Dumps {
  @Override
  public long backup(DatabaseLink from, Path file, Consumer<String> progress)
      throws InterruptedException {
    Masker masker = masker(from);
    try {
      return dumps.backup(from, file, sentence -> progress.accept(masker.mask(sentence)));
    } catch (AppFailure e) {
      throw masked(e, masker);
    }
  }

  @Override
  public void restore(Path file, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    Masker masker = masker(into);
    try {
      dumps.restore(file, into, sentence -> progress.accept(masker.mask(sentence)));
    } catch (AppFailure e) {
      throw masked(e, masker);
    }
  }

  @Override
  public void copy(DatabaseLink from, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    Masker masker = masker(from, into);
    try {
      dumps.copy(from, into, sentence -> progress.accept(masker.mask(sentence)));
    } catch (AppFailure e) {
      throw masked(e, masker);
    }
  }

  private static Masker masker(DatabaseLink... links) {
    return new Masker(Stream.of(links).map(link -> link.login().password().reveal()).toList());
  }

  // Without its cause, which says the same.
  private static AppFailure masked(AppFailure failure, Masker masker) {
    return new AppFailure(failure.failure().code(), masker.mask(failure.failure().message()));
  }
}
