package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.IdleCloseContract;
import io.lastcall.spi.FirstRequest;
import java.util.function.Supplier;

class JettyIdleCloseTest extends IdleCloseContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  @Override
  protected JettyFixture create(Supplier<FirstRequest> firstRequests) {
    return new JettyFixture(firstRequests);
  }

  /** The acceptor and the selectors have their threads for good. */
  @Override
  protected void startWithOneWorker() throws Exception {
    int others = 1 + container.connector.getSelectorManager().getSelectorCount();
    container.threads.setReservedThreads(0);
    container.threads.setMinThreads(others + 1);
    container.threads.setMaxThreads(others + 1);
    container.start();
  }
}
