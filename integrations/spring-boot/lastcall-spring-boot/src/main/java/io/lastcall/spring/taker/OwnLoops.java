package io.lastcall.spring.taker;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.report.ShutdownListener;
import io.lastcall.work.Work;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Loops that beans run as tasks of counted executors: tasks that run since start-up, in the code of
 * a bean that the context's close would end. DRAIN does not wait for them, since they have no end
 * of their own. Their beans end once it is over, and before the context closes: the stop of
 * Spring's executors waits for a task as long as it may, and interrupts it then.
 */
final class OwnLoops implements ShutdownListener {
  private static final Logger log = LoggerFactory.getLogger(OwnLoops.class);

  private final Takers takers;
  private final ConfigurableListableBeanFactory beans;

  /** Most of these tasks end long before a shutdown. */
  private final List<WeakReference<Work.Unit>> sinceStart;

  private final List<Loop> loops = new CopyOnWriteArrayList<>();

  private record Loop(String bean, Thread thread) {}

  private OwnLoops(
      Takers takers, ConfigurableListableBeanFactory beans, List<Work.Unit> sinceStart) {
    this.takers = takers;
    this.beans = beans;
    this.sinceStart = sinceStart.stream().map(WeakReference::new).toList();
  }

  /** Start-up is over: follows the tasks that are open now. */
  static void follow(Takers takers, ConfigurableListableBeanFactory beans) {
    List<Work.Unit> open = takers.shutdown().openWork();
    if (!open.isEmpty()) {
      OwnLoops loops = new OwnLoops(takers, beans, open);
      takers.listener(loops);
      takers.step(
          Step.of(Phase.CLOSE_CONNECTIONS, "end loops of beans", context -> loops.end())
              .withOrder(Integer.MIN_VALUE));
    }
  }

  @Override
  public void began(Trigger trigger) {
    OwnThreads threads = OwnThreads.of(beans);
    for (WeakReference<Work.Unit> each : sinceStart) {
      Work.Unit task = each.get();
      if (task != null) {
        loop(task, threads).filter(loop -> task.skip()).ifPresent(loops::add);
      }
    }
    if (!loops.isEmpty()) {
      log.info("These beans run loops since start-up, and end after DRAIN: {}", names());
    }
  }

  private Optional<Loop> loop(Work.Unit task, OwnThreads threads) {
    return task.thread()
        .flatMap(
            thread ->
                threads.begun(thread).flatMap(this::owner).map(bean -> new Loop(bean, thread)));
  }

  /** Two beans of a class may each have begun it. */
  private Optional<String> owner(OwnThreads.Found found) {
    if (found.beans().size() != 1) {
      return Optional.empty();
    }
    String name = found.beans().get(0);
    Object bean = beans.getSingleton(name);
    return bean != null
            && !takers.isStoppedFirst(bean)
            && !takers.hasSteps(bean)
            && BeanStop.canEnd(AopProxyUtils.ultimateTargetClass(bean))
        ? Optional.of(name)
        : Optional.empty();
  }

  private Set<String> names() {
    return loops.stream().map(Loop::bean).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The end of a bean may only set a flag. */
  private void end() throws InterruptedException {
    List<String> failed = new ArrayList<>();
    for (String name : names()) {
      try {
        BeanStop.end(Objects.requireNonNull(beans.getSingleton(name)));
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        failed.add("the end of " + name + ": " + e);
      }
    }
    OwnThreads threads = OwnThreads.of(beans);
    Poll.until(() -> loops.stream().allMatch(each -> hasEnded(each, threads)));
    if (!failed.isEmpty()) {
      throw new IllegalStateException(String.join("; ", failed));
    }
  }

  private static boolean hasEnded(Loop loop, OwnThreads threads) {
    return threads
        .begun(loop.thread())
        .filter(found -> found.beans().contains(loop.bean()))
        .isEmpty();
  }
}
