package io.lastcall.agent.server;

import io.lastcall.servlet.OpenRequests;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.util.component.Container;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a connector of Jetty 9.4 to 11, whatever handler has them: the filter sees those
 * of applications alone. By reflection: Jetty 12 has none of the classes.
 */
final class JettyRequests implements InvocationHandler {
  private static final String REQUEST = "org.eclipse.jetty.server.Request";
  private static final String LISTENER = "org.eclipse.jetty.server.HttpChannel$Listener";

  private final OpenRequests requests;

  private JettyRequests(OpenRequests requests) {
    this.requests = requests;
  }

  /**
   * Called before the connector starts, which reads its listeners then.
   *
   * @throws ReflectiveOperationException if this Jetty has no such listener, as 9.4.0
   */
  static OpenRequests follow(NetworkConnector connector) throws ReflectiveOperationException {
    ClassLoader jetty = connector.getClass().getClassLoader();
    Class<?> listener = jetty.loadClass(LISTENER);
    Method base = jetty.loadClass(REQUEST).getMethod("getBaseRequest", ServletRequest.class);
    OpenRequests requests = new OpenRequests(request -> below(request, base));
    Object bean =
        Proxy.newProxyInstance(
            listener.getClassLoader(), new Class<?>[] {listener}, new JettyRequests(requests));
    ((Container) connector).addBean(bean);
    return requests;
  }

  private static @Nullable Object below(HttpServletRequest request, Method base) {
    try {
      return base.invoke(null, request);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
    Object first = arguments == null ? proxy : arguments[0];
    return switch (method.getName()) {
      case "onRequestBegin" -> {
        requests.began(first);
        yield null;
      }
      case "onComplete" -> {
        requests.ended(first);
        yield null;
      }
      case "equals" -> proxy == first;
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "requests for Lastcall's agent";
      default -> null;
    };
  }
}
