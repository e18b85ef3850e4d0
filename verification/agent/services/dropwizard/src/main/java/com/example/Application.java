package com.example;

import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An answer at once, one that takes its thread 300 ms, one that comes later, and a stream. */
public class Application extends io.dropwizard.core.Application<Configuration> {
  public static void main(String[] args) throws Exception {
    new Application().run(args);
  }

  @Override
  public void run(Configuration configuration, Environment environment) {
    environment.jersey().register(new Service());
  }

  /** Its resource. */
  @Path("/")
  @Produces(MediaType.TEXT_PLAIN)
  public static class Service {
    @GET
    @Path("fast")
    public String fast() {
      return "ok";
    }

    @POST
    @Path("work")
    public String work(String body) throws InterruptedException {
      Thread.sleep(300);
      return body;
    }

    @GET
    @Path("later")
    public void later(@Suspended AsyncResponse response) {
      CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
          .execute(() -> response.resume("ok"));
    }

    @GET
    @Path("stream")
    public StreamingOutput stream() {
      return out -> {
        for (int i = 0; i < 10; i++) {
          out.write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
          pause();
        }
      };
    }

    private static void pause() {
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
