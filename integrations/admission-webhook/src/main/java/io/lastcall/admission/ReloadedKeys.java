package io.lastcall.admission;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate in a folder's {@code tls.crt} and {@code tls.key}, as a mounted Secret has them:
 * read anew for a handshake after they have changed. A pair that is of no use, or half written,
 * leaves the one before in place.
 */
final class ReloadedKeys extends X509ExtendedKeyManager {
  private static final Logger log = LoggerFactory.getLogger(ReloadedKeys.class);

  private final Path folder;
  private Pair current;
  private Pair before;

  /**
   * @param text both files, to see a change
   */
  private record Pair(String text, PrivateKey key, List<X509Certificate> chain) {
    String alias() {
      return Integer.toHexString(text.hashCode());
    }
  }

  ReloadedKeys(Path folder) throws IOException, GeneralSecurityException {
    this.folder = folder;
    current = read(text(folder));
    before = current;
  }

  static SSLContext context(Path folder) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {new ReloadedKeys(folder)}, null, null);
    return context;
  }

  private static String text(Path folder) throws IOException {
    return Files.readString(folder.resolve("tls.crt"))
        + Files.readString(folder.resolve("tls.key"));
  }

  private static Pair read(String text) throws IOException, GeneralSecurityException {
    String key = between(text, "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
    String chain = text.substring(0, text.lastIndexOf("-----END CERTIFICATE-----") + 25);
    List<X509Certificate> certificates = new ArrayList<>();
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(chain.getBytes(StandardCharsets.ISO_8859_1)))) {
      certificates.add((X509Certificate) certificate);
    }
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key));
    String algorithm = certificates.get(0).getPublicKey().getAlgorithm();
    return new Pair(text, KeyFactory.getInstance(algorithm).generatePrivate(spec), certificates);
  }

  private static String between(String text, String begin, String end) throws IOException {
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    if (from < 0 || to < from || !text.contains("-----END CERTIFICATE-----")) {
      throw new IOException("tls.crt has no certificate, or tls.key no key in PKCS#8");
    }
    return text.substring(from + begin.length(), to);
  }

  /** Returns the pair for a new handshake, which names it by its alias. */
  private synchronized Pair latest() {
    try {
      String text = text(folder);
      if (!text.equals(current.text)) {
        Pair fresh = read(text);
        before = current;
        current = fresh;
        log.info("The certificate was read anew: {}", fresh.chain.get(0).getSerialNumber());
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      log.warn(
          "The certificate in {} is of no use, the last one is kept: {}", folder, e.toString());
    }
    return current;
  }

  /** A handshake that has begun goes on with its pair, also if there is a newer one. */
  private synchronized Pair named(String alias) {
    return before.alias().equals(alias) ? before : current;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    Pair pair = latest();
    return type.startsWith(pair.key.getAlgorithm()) ? pair.alias() : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return named(alias).chain.toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return named(alias).key;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, Socket socket) {
    return null; // the server has engines
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }
}
