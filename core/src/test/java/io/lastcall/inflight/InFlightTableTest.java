package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InFlightTableTest {
  private final InFlightTable table = new InFlightTable(2);

  @Test
  void add_toAFullRow_isListedAllTheSame() {
    IntStream.range(0, InFlightTable.ROW).forEach(ticket -> add("slow", ticket));
    TestPermit next = new TestPermit("next");

    int slot = table.add(next, 0, InFlightTable.ROW);

    assertTrue(table.list().contains(next));
    assertEquals(InFlightTable.ROW + 1, table.list().size());
    table.remove(next, slot);
    assertEquals(InFlightTable.ROW, table.list().size());
    assertFalse(table.list().contains(next));
  }

  @Test
  void add_whereASlowRequestSits_takesASpareSlot() {
    add("slow", 0);
    TestPermit next = new TestPermit("next");
    int slot = table.add(next, 0, InFlightTable.DIRECT);
    assertEquals(2, table.list().size());
    table.remove(next, slot);
    assertEquals(1, table.list().size());
  }

  @Test
  void remove_ofASlotThatIsAnothersByNow_leavesIt() {
    int slot = add("other", 0);
    table.remove(new TestPermit("overwritten"), slot);
    assertEquals(1, table.list().size());
  }

  @Test
  void rows_ofTwoStripes_doNotOverlap() {
    int first = add("one", InFlightTable.DIRECT - 1);
    int second = table.add(new TestPermit("two"), 1, 0);
    assertTrue(second - first >= InFlightTable.DIRECT);
  }

  private int add(String description, int ticket) {
    return table.add(new TestPermit(description), 0, ticket);
  }
}
