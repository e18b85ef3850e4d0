package io.lastcall.examples.work.figures;

import io.lastcall.examples.work.Backlog;
import io.lastcall.examples.work.ServerBinary;
import io.lastcall.examples.work.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prints a table of many shutdowns of each client, with and without Lastcall, as Markdown. */
public final class Figures {
  private static final int SHUTDOWNS = 20;

  private Figures() {}

  /**
   * Prints it, and ends this JVM: with 1 if a row with Lastcall is wrong, and says why.
   *
   * @param args how many shutdowns of each, by default 20, then the clients' names, by default all
   */
  public static void print(List<Client> clients, String[] args) throws Exception {
    int shutdowns = args.length > 0 ? Integer.parseInt(args[0]) : SHUTDOWNS;
    List<String> names = List.of(args).subList(Math.min(1, args.length), args.length);
    List<Row> rows = new ArrayList<>();
    for (Client client : clients) {
      Optional<ServerBinary> missing = client.missing();
      if (missing.isPresent()) {
        System.err.println(client.name() + " " + missing.get().missing());
      } else if (names.isEmpty() || names.contains(client.name())) {
        try (Backlog backlog = client.backlog().call()) {
          rows.add(row(client, false, backlog, shutdowns));
          rows.add(row(client, true, backlog, shutdowns));
        }
      }
    }
    System.out.println(Row.HEAD);
    rows.forEach(System.out::println);
    List<String> wrong = rows.stream().flatMap(row -> row.wrong().stream()).toList();
    wrong.forEach(System.err::println);
    System.exit(wrong.isEmpty() ? 0 : 1); // brokers leave threads
  }

  private static Row row(Client client, boolean isWithout, Backlog backlog, int shutdowns)
      throws Exception {
    Class<?> program = isWithout ? client.without() : client.program();
    List<String> options = isWithout ? client.withoutOptions() : List.of();
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < shutdowns; i++) {
      trials.add(Trial.underLoad(backlog, program, i, options.toArray(String[]::new)));
    }
    Row row = new Row(client, isWithout, trials);
    System.err.println(row); // as it goes on
    return row;
  }
}
