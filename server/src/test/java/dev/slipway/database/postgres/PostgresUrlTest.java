package dev.slipway.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseAddress;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
  @Test
  void readsAnAddress() {
    assertThat(PostgresUrl.parse("postgres://ada@db.example.org/shop"))
        .isEqualTo(
            new DatabaseAddress(
                place("db.example.org", 5432, "shop", Map.of()), "ada", Optional.empty()));
    DatabaseAddress all =
        PostgresUrl.parse("postgresql://a%40b:p%2Fw@[::1]:6543/my%20shop?sslmode=require");
    assertThat(all.place()).isEqualTo(place("::1", 6543, "my shop", Map.of("sslmode", "require")));
    assertThat(all.user()).isEqualTo("a@b");
    assertThat(all.password()).contains(new Secret("p/w"));
  }

  @Test
  void writesWhatItReads() {
    DatabaseLink link =
        new DatabaseLink(
            place("::1", 6543, "a/b ?#", Map.of("sslmode", "disable")),
            new DatabaseLogin("us:er@", new Secret("p+ä%/@:#?&=*~ '")));
    String url = PostgresUrl.write(link);
    DatabaseAddress read = PostgresUrl.parse(url);
    assertThat(url).matches("postgresql://[\\w%.~:-]+@\\[::1]:6543/[\\w%]+\\?sslmode=disable");
    assertThat(read.place()).isEqualTo(link.place());
    assertThat(read.user()).isEqualTo(link.login().user());
    assertThat(read.password()).contains(link.login().password());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "shop",
        "mysql://ada@host/shop",
        "jdbc:postgresql://ada@host/shop",
        "postgres://host/shop",
        "postgres://ada@/shop",
        "postgres://ada@host",
        "postgres://ada@host/",
        "postgres://ada@host/shop/more",
        "postgres://ada@host/shop#part",
        "postgres://ada@host:0/shop",
        "postgres://ada@host:65536/shop",
        "postgres://ada@host:x/shop",
        "postgres://ada@one,two/shop",
        "postgres://ada@%2Fvar%2Frun/shop",
        "postgres://ada@[::g]/shop",
        "postgres://ada@::1/shop",
        "postgres://ada@-host/shop",
        "postgres://ada@host/sh%0Aop",
        "postgres://a%00da@host/shop",
        "postgres://ada@host/shop?sslfactory=org.example.Loaded",
        "postgres://ada@host/shop?sslmode=verify-ca",
        "postgres://ada@host/shop?sslrootcert=/etc/passwd",
        "postgres://ada@host/shop?options=-crole%3Dpostgres",
        "postgres://ada@host/shop?host=other",
        "postgres://ada@host/shop?sslmode=require&sslmode=disable",
      })
  void refusesWhatIsNoAddressThatWeCanUse(String url) {
    assertThatThrownBy(() -> PostgresUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)[a-z].{8,}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgres://ada:hush-hush@@/shop",
        "postgres://ada:hush-hush%zz@host/shop",
        "postgres://ada:hush-hush/@host/shop",
        "postgres://ada@host/shop?password=hush-hush",
        "postgres://ada@host/shop?sslmode=hush-hush",
      })
  void quotesNoPassword(String url) {
    assertThatThrownBy(() -> PostgresUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("hush-hush")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://db.example.org:6543/admin, db.example.org, 6543, admin",
    "jdbc:postgresql://db.example.org/, db.example.org, 5432, postgres",
    "jdbc:postgresql://[::1], ::1, 5432, postgres",
  })
  void readsWhatOperatorsConfigure(String url, String host, int port, String name) {
    assertThat(PostgresUrl.parseJdbc(url)).isEqualTo(place(host, port, name, Map.of()));
  }

  private static DatabasePlace place(
      String host, int port, String name, Map<String, String> parameters) {
    return new DatabasePlace(DatabaseType.POSTGRES, host, port, name, parameters);
  }
}
