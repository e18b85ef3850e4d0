package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.IdleCloseContract;

class JettyIdleCloseTest extends IdleCloseContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
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
