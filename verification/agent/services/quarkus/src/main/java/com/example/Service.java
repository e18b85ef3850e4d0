package com.example;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;

/** An answer at once, one that takes its thread 300 ms, one that comes later, and a stream. */
@Path("/")
@Produces(MediaType.TEXT_PLAIN)
public class Service {
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
  public Uni<String> later() {
    return Uni.createFrom().item("ok").onItem().delayIt().by(Duration.ofMillis(300));
  }

  @GET
  @Path("stream")
  public Multi<String> stream() {
    return Multi.createFrom()
        .range(0, 10)
        .onItem()
        .transformToUniAndConcatenate(
            i ->
                Uni.createFrom()
                    .item("line " + i + "\n")
                    .onItem()
                    .delayIt()
                    .by(Duration.ofMillis(100)));
  }
}
