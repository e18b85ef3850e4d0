package io.lastcall.examples.takers;

import java.util.List;

class QuartzTest extends TakerContract {
  QuartzTest() {
    super(QuartzService.class, 1);
  }

  @Override
  List<String> prepare() {
    return List.of("--spring.quartz.properties.org.quartz.threadPool.threadCount=1");
  }
}
