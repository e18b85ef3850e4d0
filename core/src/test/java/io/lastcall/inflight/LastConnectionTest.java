package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LastConnectionTest {
  private static final int ROUNDS = 2_000;
  private static final int MOST = 12;

  private final LastConnection last = new LastConnection();

  private record Noted(long at, @Nullable InetAddress address) {}

  private static InetAddress address(int number) throws Exception {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number});
  }

  private Optional<LastClient> client(InetAddress address, long others) {
    return Optional.of(new LastClient(address, Optional.of(Duration.ofNanos(others))));
  }

  @Test
  void client_noneOfTheShutdown_isEmpty() throws Exception {
    last.note(-1, address(1));
    assertEquals(Optional.empty(), last.at());
    assertEquals(Optional.empty(), last.client());
  }

  @Test
  void client_lastIsNotKnown_isEmpty() throws Exception {
    last.note(5, address(1));
    last.note(6, null);
    assertEquals(Optional.of(Duration.ofNanos(6)), last.at());
    assertEquals(Optional.empty(), last.client());
  }

  /** One that is not known may be anybody's. */
  @Test
  void client_onesThatAreNotKnown_areOthers() throws Exception {
    last.note(5, null);
    last.note(6, address(1));
    assertEquals(client(address(1), 5), last.client());
  }

  /** Two at one instant: neither was alone. */
  @Test
  void client_twoAtTheSameTime_isNotAlone() throws Exception {
    last.note(5, address(1));
    last.note(5, address(2));
    assertEquals(client(address(1), 5), last.client());
  }

  @Test
  void client_inAnyOrder_isThatOfTheLastAndWhenOthersCameLast() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < ROUNDS; round++) {
      List<Noted> all = new ArrayList<>();
      for (int at = 0; at < 1 + random.nextInt(MOST); at++) {
        int number = random.nextInt(4);
        all.add(new Noted(at, number == 0 ? null : address(number)));
      }
      Collections.shuffle(all, random);
      LastConnection noted = new LastConnection();
      all.forEach(each -> noted.note(each.at, each.address));
      assertEquals(expected(all), noted.client(), all::toString);
    }
  }

  private static Optional<LastClient> expected(List<Noted> all) {
    Noted latest = all.stream().max(Comparator.comparingLong(Noted::at)).orElseThrow();
    Optional<Duration> others =
        all.stream()
            .filter(each -> !Objects.equals(each.address, latest.address))
            .max(Comparator.comparingLong(Noted::at))
            .map(each -> Duration.ofNanos(each.at));
    return Optional.ofNullable(latest.address).map(address -> new LastClient(address, others));
  }
}
