package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.scope.context.StepSynchronizationManager;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.core.step.StepLocator;
import org.springframework.batch.core.step.tasklet.StoppableTasklet;
import org.springframework.batch.core.step.tasklet.TaskletStep;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Spring Batch. Executions of this process are told to stop, which they do at the end of a chunk,
 * and are awaited until the repository has them as STOPPED: then another process can restart them.
 *
 * <p>Not by {@code JobOperator.stop}: it writes a step's row while the step itself does, and one of
 * them fails by its version. The execution then ends as UNKNOWN, which nobody can restart
 * (spring-projects/spring-batch#5308).
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Job.class)
final class BatchTaker {
  @Bean
  static JobBeans lastcallBatchJobs(ObjectProvider<Takers> takers) {
    return new JobBeans(takers, new Executions(takers));
  }

  /** Has each job say when it executes: no launcher tells of the end, and a runner blocks in it. */
  private record JobBeans(ObjectProvider<Takers> takers, Executions executions)
      implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (!(bean instanceof Job job)) {
        return bean;
      }
      takers.getObject().stopFirst("batch", executions, executions);
      ProxyFactory proxy = new ProxyFactory(job);
      proxy.addAdvice(executions);
      return proxy.getProxy(job.getClass().getClassLoader());
    }
  }

  /**
   * An execution on its way.
   *
   * @param job finds its steps, unless it is of a class of the application's
   * @param ended completes with it; exceptionally if nobody can go on with it
   */
  private record Running(
      JobExecution execution, @Nullable Object job, CompletableFuture<Void> ended) {
    /** In memory alone: the thread that executes writes what becomes of it. */
    void stop() {
      BatchStatus status = execution.getStatus();
      if (status == BatchStatus.STARTING || status == BatchStatus.STARTED) {
        execution.setStatus(BatchStatus.STOPPING); // no further step begins
        execution.getStepExecutions().stream()
            .filter(step -> step.getStatus().isRunning())
            .forEach(this::stop);
      }
    }

    private void stop(StepExecution step) {
      step.setTerminateOnly();
      if (job instanceof StepLocator steps
          && steps.getStep(step.getStepName()) instanceof TaskletStep found
          && found.getTasklet() instanceof StoppableTasklet tasklet) {
        StepSynchronizationManager.register(step);
        try {
          tasklet.stop(step);
        } finally {
          StepSynchronizationManager.release();
        }
      }
    }

    void end(String name) {
      BatchStatus status = execution.getStatus();
      if (status == BatchStatus.COMPLETED || status == BatchStatus.STOPPED) {
        ended.complete(null);
      } else {
        ended.completeExceptionally(new IllegalStateException(name + " ended as " + status));
      }
    }
  }

  /** Those of this process. Others of the repository belong to other processes, or to dead ones. */
  private static final class Executions implements MethodInterceptor, WorkSource {
    private static final Logger log = LoggerFactory.getLogger(BatchTaker.class);

    private final ObjectProvider<Takers> takers;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private volatile CompletionStage<?> finished = CompletableFuture.completedFuture(null);

    Executions(ObjectProvider<Takers> takers) {
      this.takers = takers;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
      Method method = call.getMethod();
      return method.getName().equals("execute")
              && call.getArguments().length == 1
              && call.getArguments()[0] instanceof JobExecution execution
          ? execute(call, execution)
          : call.proceed();
    }

    /** One that stops half-way is handed back: the process must not count as complete. */
    private @Nullable Object execute(MethodInvocation call, JobExecution execution)
        throws Throwable {
      String name = "batch " + execution.getJobInstance().getJobName();
      Running begun = new Running(execution, call.getThis(), new CompletableFuture<>());
      try (io.lastcall.work.Job job = takers.getObject().shutdown().beginJob(name)) {
        running.add(begun);
        try {
          if (job.stopRequested()) {
            begun.stop();
          }
          Object result = call.proceed();
          if (job.stopRequested() && execution.getStatus() == BatchStatus.STOPPED) {
            job.handBack(() -> log.info("{} is STOPPED, and can be restarted", name));
          }
          return result;
        } finally {
          running.remove(begun);
          begun.end(name);
        }
      }
    }

    @Override
    public void stopTaking() {
      List<Running> all = List.copyOf(running);
      finished =
          CompletableFuture.allOf(
              all.stream().map(Running::ended).toArray(CompletableFuture[]::new));
      all.forEach(Running::stop);
    }

    @Override
    public CompletionStage<?> finished() {
      return finished;
    }
  }
}
