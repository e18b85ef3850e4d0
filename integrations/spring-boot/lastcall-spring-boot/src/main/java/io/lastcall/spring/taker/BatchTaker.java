package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.lang.reflect.Method;
import java.util.Set;
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
import org.springframework.batch.core.launch.JobExecutionNotRunningException;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Spring Batch. Executions of this process are told to stop, which they do at the end of a chunk,
 * and are awaited until the repository has them as STOPPED: then another process can restart them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Job.class)
final class BatchTaker {
  @Bean
  static JobBeans lastcallBatchJobs(
      ObjectProvider<Takers> takers,
      ObjectProvider<JobOperator> operators,
      ObjectProvider<JobRepository> repositories) {
    return new JobBeans(takers, new Executions(takers, operators, repositories));
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

  /** Those of this process. Others of the repository belong to other processes, or to dead ones. */
  private record Executions(
      ObjectProvider<Takers> takers,
      ObjectProvider<JobOperator> operators,
      ObjectProvider<JobRepository> repositories,
      Set<JobExecution> running)
      implements MethodInterceptor, WorkSource {
    private static final Logger log = LoggerFactory.getLogger(BatchTaker.class);

    Executions(
        ObjectProvider<Takers> takers,
        ObjectProvider<JobOperator> operators,
        ObjectProvider<JobRepository> repositories) {
      this(takers, operators, repositories, ConcurrentHashMap.newKeySet());
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
      try (io.lastcall.work.Job job = takers.getObject().shutdown().beginJob(name)) {
        running.add(execution);
        try {
          if (job.stopRequested()) {
            stop(execution);
          }
          Object result = call.proceed();
          if (job.stopRequested() && execution.getStatus() == BatchStatus.STOPPED) {
            job.handBack(() -> log.info("{} is STOPPED, and can be restarted", name));
          }
          return result;
        } finally {
          running.remove(execution);
        }
      }
    }

    @Override
    public void stopTaking() {
      running.forEach(this::stop);
    }

    /** By a copy: the one that executes belongs to its thread. */
    private void stop(JobExecution execution) {
      JobExecution copy = repositories.getObject().getJobExecution(execution.getId());
      try {
        if (copy != null) {
          operators.getObject().stop(copy);
        }
      } catch (JobExecutionNotRunningException e) {
        log.debug("It has ended meanwhile", e);
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
