package io.lastcall.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the threads that do the work, for each operation. Unlike the time on the wall it does
 * not count what other processes took of the machine meanwhile.
 */
public final class CpuTime implements InternalProfiler {
  static final String LABEL = "cpu";

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long before;

  @Override
  public String getDescription() {
    return "CPU time of the workers per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = spent();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double each = (double) (spent() - before) / result.getMetadata().getAllOps();
    return List.of(new ScalarResult(LABEL, each, "ns/op", AggregationPolicy.AVG));
  }

  private long spent() {
    long sum = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && isWorker(thread.getThreadName())) {
        sum += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return sum;
  }

  /** JMH's own threads, or the carriers of virtual ones. */
  private static boolean isWorker(String name) {
    return name.contains("jmh-worker") || name.startsWith("ForkJoinPool-1-worker");
  }
}
