package io.lastcall.rollout.picture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A page: one file, no script, nothing fetched. */
public final class Page {
  private Page() {}

  /** The frame of every page. */
  public static String document(String title, String body) throws IOException {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n<title>"
        + title
        + "</title>\n<style>\n"
        + style()
        + "</style>\n</head>\n<body>\n<main>\n"
        + body
        + "</main>\n</body>\n</html>\n";
  }

  private static String style() throws IOException {
    try (InputStream css = Page.class.getResourceAsStream("page.css")) {
      if (css == null) {
        throw new IOException("page.css is missing from the jar");
      }
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The text as HTML has it. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** What the marks of a plot mean; {@code more} are further items. */
  public static String legend(String more) {
    return """
        <ul class="legend">
        <li><i class="after"></i>answered, sent after the pod's SIGTERM</li>
        <li><i class="before"></i>answered, sent before</li>
        <li><i class="failed"></i>lost</li>
        <li><i class="leave"></i>a node stops routing here</li>
        <li><i class="routed"></i>nodes that still route here after SIGTERM</li>
        <li><i class="dead"></i>no process</li>
        """
        + more
        + "</ul>\n";
  }
}
