package io.lastcall.faults.subject;

import java.security.Permission;

/** As in a container of the past, which lets no application end the JVM. */
@SuppressWarnings("removal")
final class RefusedExit extends SecurityManager {
  private RefusedExit() {}

  static void install() {
    System.setSecurityManager(new RefusedExit());
  }

  @Override
  public void checkPermission(Permission permission) {
    if (permission.getName().startsWith("exitVM")) {
      throw new SecurityException("this process may not exit");
    }
  }

  @Override
  public void checkPermission(Permission permission, Object context) {
    checkPermission(permission);
  }
}
