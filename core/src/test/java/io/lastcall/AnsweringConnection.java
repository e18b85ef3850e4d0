package io.lastcall;

import io.lastcall.connection.HttpConnection;

/** Busy until the test says otherwise. */
final class AnsweringConnection implements HttpConnection {
  volatile boolean answering = true;

  @Override
  public void closeIfIdle() {}

  @Override
  public boolean isAnswering() {
    return answering;
  }
}
