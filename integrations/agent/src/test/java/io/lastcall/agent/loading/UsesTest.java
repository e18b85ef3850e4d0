package io.lastcall.agent.loading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

class UsesTest {
  /** Overrides what a newer server has, and calls it only there, as adapters do. */
  private static final class Adapter extends Server {
    private long longs = 4_294_967_296L; // takes two places in the pool

    @Override
    String newer(String request) {
      longs++;
      return super.newer(request);
    }

    Supplier<String> other() {
      state = older() + longs;
      return this::referenced;
    }
  }

  private static class Server {
    String state = "";

    String newer(String request) {
      return request;
    }

    String older() {
      return state;
    }

    String referenced() {
      return state;
    }
  }

  private static final String SERVER = Server.class.getName().replace('.', '/');
  private static final String ADAPTER = Adapter.class.getName().replace('.', '/');

  private static ClassReader adapter() throws IOException {
    return new ClassReader(Adapter.class.getName());
  }

  @Test
  void named_hasEachUseOfTheCode() throws IOException {
    Collection<String> named = new HashSet<>(Uses.named(adapter()));

    assertTrue(named.containsAll(Uses.inCode(adapter())), named::toString);
    assertTrue(named.contains(SERVER + " newer(Ljava/lang/String;)Ljava/lang/String;"));
    assertTrue(named.contains(ADAPTER + " longs:J"));
    assertTrue(named.contains(ADAPTER + " state:Ljava/lang/String;"));
  }

  @Test
  void inCode_callOfTheMethodThatIsOverridden_isTheClassAlone() throws IOException {
    Collection<String> used = Uses.inCode(adapter());

    assertFalse(used.contains(SERVER + " newer(Ljava/lang/String;)Ljava/lang/String;"));
    assertTrue(used.contains(SERVER + " "));
    assertTrue(used.contains(ADAPTER + " older()Ljava/lang/String;"));
    assertEquals(1, used.stream().filter(use -> use.contains("state")).count(), used::toString);
  }
}
