package io.lastcall.agent;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;

/** Embedded Tomcat as anybody writes it. */
final class TomcatApplication {
  private TomcatApplication() {}

  public static void main(String[] args) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
    Connector connector = new Connector();
    connector.setPort(0);
    connector.addUpgradeProtocol(new Http2Protocol());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", new File(".").getAbsolutePath());
    Tomcat.addServlet(context, "all", new Answers()).addMapping("/*");
    tomcat.start();
    System.out.println("ready on port " + connector.getLocalPort());
    tomcat.getServer().await();
  }

  private static final class Answers extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print(Rendezvous.answer(request.getRequestURI()));
    }
  }
}
