package dev.slipway.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.release.ReleaseFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SitesTest {
  private final List<Site> read = Collections.synchronizedList(new ArrayList<>());

  @Test
  void aSiteIsReadOnce() {
    Sites sites = new Sites(this::read, 100);
    Site site = site();

    SiteIndex first = get(sites, site);

    assertThat(get(sites, site)).isSameAs(first);
    assertThat(read).containsExactly(site);
  }

  @Test
  void theOneThatWasUsedLongestAgoIsForgotten() {
    Sites sites = new Sites(this::read, 2);
    Site one = site();
    Site two = site();
    Site three = site();
    get(sites, one);
    get(sites, two);
    get(sites, one);

    get(sites, three);
    get(sites, one);
    get(sites, two);

    assertThat(read).containsExactly(one, two, three, two);
  }

  @Test
  void aLargeSiteIsKeptWhileItIsTheOnlyOne() {
    Sites sites = new Sites(this::read, 0);
    Site site = site();

    assertThat(get(sites, site)).isSameAs(get(sites, site));
  }

  @Test
  void whatCouldNotBeReadIsTriedAgain() {
    Sites sites =
        new Sites(
            site -> {
              if (read.isEmpty()) {
                read.add(site);
                throw new IllegalStateException("the disk is away");
              }
              return read(site);
            },
            100);
    Site site = site();

    assertThatThrownBy(() -> get(sites, site)).hasMessageContaining("the disk is away");
    assertThat(get(sites, site).size()).isOne();
  }

  private SiteIndex read(Site site) {
    read.add(site);
    return new SiteIndex(
        site,
        new ReleaseFiles(
            List.of(
                new ReleaseFiles.Content(
                    "index.html",
                    "hash",
                    new ReleaseFiles.Stored(Path.of("index.html"), 1),
                    Map.of())),
            List.of()));
  }

  private static Site site() {
    return new Site(ReleaseId.of(DeploymentId.next()), "", Optional.empty(), false);
  }

  /** What follows from reading it has been done when this returns. */
  private static SiteIndex get(Sites sites, Site site) {
    return sites.index(site).orTimeout(40, TimeUnit.SECONDS).join();
  }
}
