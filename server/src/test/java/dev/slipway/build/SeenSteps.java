package dev.slipway.build;

import dev.slipway.source.Commit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it is told: {@code name started}, {@code name ok}, {@code name failed}. */
final class SeenSteps implements BuildObserver {
  private final List<String> seen = new CopyOnWriteArrayList<>();

  List<String> seen() {
    return seen;
  }

  @Override
  public void resolved(Commit commit) {
    seen.add("commit " + commit.message());
  }

  @Override
  public void detected(String framework) {
    seen.add("framework " + framework);
  }

  @Override
  public void stepStarted(String name) {
    seen.add(name + " started");
  }

  @Override
  public void stepEnded(String name, boolean succeeded) {
    seen.add(name + (succeeded ? " ok" : " failed"));
  }
}
