package dev.slipway.database.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DumpTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          CREATE DEFINER=`ada`@`%` PROCEDURE `dock`() SELECT 1 | CREATE PROCEDURE `dock`() SELECT 1
          /*!50013 DEFINER=`a``b`@`10.%` SQL SECURITY DEFINER */ | /*!50013 SQL SECURITY DEFINER */
          /*!50003 CREATE*/ /*!50017 DEFINER=`a`@`%`*/ /*!50003 TRIGGER s | /*!50003 CREATE*/ /*!50017 */ /*!50003 TRIGGER s
          /*!50003 CREATE*/ /*!50020 DEFINER=`a`@`%`*/ /*!50003 FUNCTION f | /*!50003 CREATE*/ /*!50020 */ /*!50003 FUNCTION f
          /*!50106 CREATE*/ /*!50117 DEFINER=`a`@`%`*/ /*!50106 EVENT e | /*!50106 CREATE*/ /*!50117 */ /*!50106 EVENT e
          CREATE DEFINER="a""b"@"%" PROCEDURE "dock"() AS | CREATE PROCEDURE "dock"() AS
          CREATE DEFINER=db_x_1@% FUNCTION f() | CREATE FUNCTION f()
          CREATE DEFINER=`captains` FUNCTION f() | CREATE FUNCTION f()
          ALTER DATABASE `shop` CHARACTER SET latin1 COLLATE latin1_swedish_ci ; | ALTER DATABASE CHARACTER SET latin1 COLLATE latin1_swedish_ci ;
          """)
  void whatBelongsToTheOtherDatabaseIsTakenOut(String line, String without) throws IOException {
    assertThat(read("one\n" + line + "\nlast", 1 << 16)).isEqualTo("one\n" + without + "\nlast");
  }

  @Test
  void theClientIsNotToldWhatItMayNotKnow() throws IOException {
    assertThat(read("/*M!999999\\- enable the sandbox mode */ \n-- MariaDB", 1 << 16))
        .isEqualTo("\n-- MariaDB");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n\n",
        "INSERT INTO `t` VALUES ('CREATE DEFINER=`a`@`%` VIEW');\n",
        "CREATE TABLE `t` (`DEFINER=` int);\n/*!40101 SET NAMES utf8mb4 */;",
        "A\nC\n/\n",
      })
  void everythingElseStaysAsItIs(String text) throws IOException {
    assertThat(read(text, 1 << 16)).isEqualTo(text);
    assertThat(read(text, 1)).isEqualTo(text);
  }

  @Test
  void longLinesAndSmallPiecesMakeNoDifference() throws IOException {
    String row = "INSERT INTO `t` VALUES ('" + "CREATE DEFINER=`a`@`` ".repeat(20_000) + "');\n";
    String head = "CREATE %sVIEW v AS SELECT '" + "/".repeat(100_000) + "'\n";
    for (int piece : new int[] {1, 7, 599, 601, 1 << 16}) {
      assertThat(read((row + head).formatted("DEFINER=`a`@`%` ") + row, piece))
          .isEqualTo((row + head).formatted("") + row);
    }
  }

  /**
   * @param piece how many bytes come at a time
   */
  private static String read(String text, int piece) throws IOException {
    InputStream slow =
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public synchronized int read(byte[] into, int offset, int length) {
            return super.read(into, offset, Math.min(length, piece));
          }
        };
    try (DumpText in = new DumpText(slow)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
