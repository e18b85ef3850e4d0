package io.lastcall.servlet.tomcat;

import io.lastcall.connection.FirstRequest;

/** Tells what Tomcat's channels do not. Tomcat uses one again for the next connection. */
interface DrainingChannel {

  /** Returns that of the connection it is used for now. */
  FirstRequest firstRequest();
}
