package io.lastcall.drill;

import io.lastcall.rollout.picture.Page;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes a picture of one shutdown, from the JSON that Lastcall writes to {@code report-file}. Exit
 * status: 0, or 2 if there is none to draw.
 */
final class ShutdownPicture {
  private static final int NOT_DRAWN = 2;

  private ShutdownPicture() {}

  public static void main(String[] arguments) {
    if (arguments.length < 1 || arguments.length > 2) {
      System.err.println(
          "java -cp drill.jar io.lastcall.drill.ShutdownPicture report.json" + " [page.html]");
      System.exit(NOT_DRAWN);
    }
    Path report = Path.of(arguments[0]);
    Path page = Path.of(arguments.length == 2 ? arguments[1] : arguments[0] + ".html");
    try {
      Files.writeString(page, page(Files.readString(report)), StandardCharsets.UTF_8);
      System.out.println("The picture is in " + page);
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(report + " could not be drawn: " + e);
      System.exit(NOT_DRAWN);
    }
  }

  static String page(String json) throws IOException {
    ShutdownJson report = ShutdownJson.read(json);
    return Page.document("A shutdown", new ShutdownSections(report).html());
  }
}
