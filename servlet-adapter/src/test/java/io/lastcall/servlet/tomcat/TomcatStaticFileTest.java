package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.StaticFileContract;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class TomcatStaticFileTest extends StaticFileContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** As Tomcat's DefaultServlet does, but for responses that a filter has wrapped. */
  @Override
  protected void serveFiles(Path directory) {
    container.serve(
        "*.bin",
        (request, response) ->
            send(directory.resolve(request.getServletPath().substring(1)), request, response));
  }

  /** By Tomcat's sendfile where that is offered. */
  private static void send(Path file, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long length = Files.size(file);
    response.setContentLengthLong(length);
    if (Boolean.TRUE.equals(request.getAttribute("org.apache.tomcat.sendfile.support"))) {
      request.setAttribute("org.apache.tomcat.sendfile.filename", file.toString());
      request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
      request.setAttribute("org.apache.tomcat.sendfile.end", length);
    } else {
      Files.copy(file, response.getOutputStream());
    }
  }
}
