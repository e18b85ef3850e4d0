package io.lastcall.servlet.undertow;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * What arrives on a connection with TLS, encrypted: a part of a record is a request on its way, and
 * gives nothing to who reads behind the decryption. Undertow's TLS reads by {@link
 * #read(ByteBuffer)} and by no other method.
 */
final class RecordConduit extends AbstractStreamSourceConduit<StreamSourceConduit> {
  private final Framing records = Framing.tls();

  RecordConduit(StreamSourceConduit next) {
    super(next);
  }

  boolean isWithinRecord() {
    return !records.isBetweenFrames();
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    ByteBuffer view = to.duplicate();
    int read = next.read(to);
    if (read > 0) {
      records.follow(view.limit(to.position()));
    }
    return read;
  }
}
