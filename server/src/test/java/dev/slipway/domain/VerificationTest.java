package dev.slipway.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AccountId;
import dev.slipway.core.DomainId;
import dev.slipway.core.ProjectId;
import dev.slipway.edge.Addresses;
import java.net.URI;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VerificationTest {
  private static final String HOST = "shop.apps.example.net";
  private final TestDns dns = new TestDns();
  private final Verification verification =
      new Verification(
          dns.client(),
          new Addresses(URI.create("https://slipway.example.org"), "apps.example.net"));
  private final Domain www = domain("www.example.org");

  @AfterEach
  void close() {
    dns.close();
  }

  @Test
  void anAliasOfTheProjectsHostIsEnough() throws InterruptedException {
    dns.alias("www.example.org", HOST);

    assertThat(verification.look(www)).isEqualTo(new Finding.Here());
  }

  @Test
  void anAliasMayGoThroughOthersAndBeWrittenInCapitals() throws InterruptedException {
    dns.alias("www.example.org", "Cdn.Example.org")
        .alias("cdn.example.org", "SHOP.apps.example.NET");

    assertThat(verification.look(www)).isEqualTo(new Finding.Here());
  }

  @Test
  void anAliasOfAnotherProjectIsToldApart() throws InterruptedException {
    dns.alias("www.example.org", "blog.apps.example.net")
        .address("blog.apps.example.net", "192.0.2.1");

    assertThat(why()).contains("points to blog.apps.example.net", "should point to " + HOST);
  }

  @Test
  void theAddressOfAllProjectsSaysNothingWithoutTheAccountsText() throws InterruptedException {
    dns.address(HOST, "192.0.2.1").address(HOST, "2001:db8::1");
    dns.address("www.example.org", "192.0.2.1");

    assertThat(why()).contains("leads here", "_slipway-challenge.www.example.org", www.token());
    dns.text("_slipway-challenge.www.example.org", "of another account");
    assertThat(why()).contains("leads here");
    dns.text("_slipway-challenge.www.example.org", www.token());
    assertThat(verification.look(www)).isEqualTo(new Finding.Here());
    // Some visitors would end elsewhere.
    dns.address("www.example.org", "192.0.2.99");
    assertThat(why()).contains("192.0.2.99", "not the address of " + HOST);
  }

  @Test
  void aNameWithoutRecordsSaysWhichToSet() throws InterruptedException {
    assertThat(why()).contains("no DNS record of www.example.org", "CNAME to " + HOST);
    dns.text("www.example.org", "something else");
    assertThat(why()).contains("no DNS record of www.example.org");
  }

  @Test
  void aliasesInACircleEnd() throws InterruptedException {
    dns.alias("www.example.org", "a.example.org").alias("a.example.org", "www.example.org");

    assertThat(verification.look(www)).isNotEqualTo(new Finding.Here());
  }

  @Test
  void aServerThatFailsSaysNothing() throws InterruptedException {
    dns.alias("www.example.org", HOST).failing(true);

    assertThat(verification.look(www)).isInstanceOf(Finding.Unknown.class);
    assertThat(verification.isClaimed(www.holder().account(), www.name())).isFalse();
  }

  @Test
  void theTokenIsTheAccountsAndTheNames() {
    assertThat(domain("www.example.org").token()).isNotEqualTo(www.token());
    Holder holder = www.holder();
    assertThat(holder.token(new DomainName("b.example"))).isNotEqualTo(www.token());
    assertThat(new Holder(ProjectId.next(), holder.account(), "other").token(www.name()))
        .isEqualTo(www.token());
  }

  private String why() throws InterruptedException {
    return verification.look(www) instanceof Finding.Elsewhere(String why) ? why : "";
  }

  private static Domain domain(String name) {
    return new Domain(
        DomainId.next(),
        new Holder(ProjectId.next(), AccountId.next(), "shop"),
        new DomainName(name),
        DomainState.added(Instant.EPOCH),
        Instant.EPOCH);
  }
}
