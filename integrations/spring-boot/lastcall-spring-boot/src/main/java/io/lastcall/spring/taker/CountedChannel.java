package io.lastcall.spring.taker;

import com.rabbitmq.client.Channel;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.PublisherCallbackChannel;

/**
 * A channel as a listener sees it: which messages are acknowledged by it is known. A message's work
 * has ended once its acknowledgement is tried, whether or not the broker gets it. Thread-safe.
 */
final class CountedChannel implements InvocationHandler {
  private static final String REJECT = "basicReject";

  /** The broker delivers again what is open. */
  private static final String RECOVER = "basicRecover";

  private static final Set<String> ENDING = Set.of("basicAck", "basicNack", REJECT, RECOVER);

  private final Channel target;
  private final Channel counted;
  private final NavigableSet<Long> open = new ConcurrentSkipListSet<>();
  private volatile boolean failed;

  CountedChannel(Channel target) {
    this.target = target;
    counted = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(), types(target), this);
  }

  /** Those for which Spring has told a native image of proxies. */
  private static Class<?>[] types(Channel target) {
    if (!(target instanceof ChannelProxy)) {
      return new Class<?>[] {Channel.class};
    }
    return target instanceof PublisherCallbackChannel
        ? new Class<?>[] {ChannelProxy.class, PublisherCallbackChannel.class}
        : new Class<?>[] {ChannelProxy.class};
  }

  Channel channel() {
    return counted;
  }

  void begin(List<Message> messages) {
    messages.forEach(each -> open.add(each.getMessageProperties().getDeliveryTag()));
  }

  void forget(List<Message> messages) {
    messages.forEach(each -> open.remove(each.getMessageProperties().getDeliveryTag()));
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  boolean hasFailed() {
    return failed || !isEmpty();
  }

  boolean isGone() {
    return isEmpty() && !target.isOpen();
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("equals") && arguments != null) {
      return proxy == arguments[0];
    }
    boolean ends = ENDING.contains(method.getName());
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (ends) {
        failed = true;
      }
      throw e.getCause();
    } finally {
      if (ends) {
        end(method.getName(), arguments);
      }
    }
  }

  private void end(String method, Object @Nullable [] arguments) {
    if (method.equals(RECOVER) || arguments == null) {
      open.clear();
      return;
    }
    Long tag = (Long) arguments[0];
    boolean allBefore = !method.equals(REJECT) && Boolean.TRUE.equals(arguments[1]);
    if (!allBefore) {
      open.remove(tag);
    } else if (tag == 0) {
      open.clear();
    } else {
      open.headSet(tag, true).clear();
    }
  }
}
