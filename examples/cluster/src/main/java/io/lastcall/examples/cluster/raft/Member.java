package io.lastcall.examples.cluster.raft;

import static io.lastcall.kubernetes.PreparationAnswer.prepared;
import static io.lastcall.kubernetes.PreparationAnswer.preparing;
import static io.lastcall.kubernetes.PreparationAnswer.refused;
import static java.util.stream.Collectors.toMap;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.cluster.Moments;
import io.lastcall.kubernetes.Preparation;
import io.lastcall.kubernetes.PreparationAnswer;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * One of three members that keep orders by Ratis. An up-to-date follower leads before the leader
 * stops; else the group would take no order until it has missed the leader for a while.
 */
public final class Member implements Preparation {
  private static final Duration HAND_OVER = Duration.ofSeconds(5);
  private static final Duration USUAL = Duration.ofSeconds(1);
  private static final long TRY_MILLIS = 1_000; // the leader takes no order meanwhile
  private static final long PAUSE_MILLIS = 5;
  private static final long ALIVE_MILLIS = 2_000; // there are several heartbeats in it
  private static final long LAG = 1_000; // entries; the transfer waits for them

  private final RaftServer server;
  private final RaftServer.Division division;
  private final DivisionInfo info;
  private CompletableFuture<?> transfer = CompletableFuture.completedFuture(null);
  private volatile @Nullable RaftPeerId tried;

  private Member(RaftServer server) throws IOException {
    this.server = server;
    division = server.getDivision(Group.ID);
    info = division.getInfo();
  }

  /** The arguments are its own name, its directory, and all members: {@code a=host:port ...}. */
  public static void main(String[] args) throws IOException {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    RaftServer server = Group.member(args[0], new File(args[1]), List.of(args).subList(2, 5));
    server.start();
    Member member = new Member(server);
    shutdown.step(
        Step.of(Phase.KEEP_SERVING, "leadership", context -> member.handOver())
            .withTimeout(HAND_OVER));
    shutdown.step(Phase.CLOSE_CONNECTIONS, "raft", context -> member.close());
    Preparation.register(shutdown, "leadership", member);
  }

  /** Returns when another member leads. */
  private void handOver() throws IOException, InterruptedException {
    mayLead(false);
    while (!anotherLeads()) {
      Optional<RaftPeerId> next = successor(); // empty while there is no leader
      if (next.isPresent()) {
        server.transferLeadership(transferTo(next.get()));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private void close() throws IOException {
    Moments.print("closing", server.getId().toString());
    server.close();
  }

  @Override
  public PreparationAnswer prepare() {
    try {
      Optional<RaftPeerId> next = successor();
      if (info.isLeader() && next.isEmpty()) {
        return refused("no other member is up to date");
      }
      mayLead(false);
      if (info.isLeader() && next.isPresent() && transfer.isDone()) {
        transfer = server.transferLeadershipAsync(transferTo(next.get()));
      }
      return anotherLeads() ? prepared() : preparing(USUAL, "another member is to lead");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void cancel() {
    mayLead(true);
  }

  /** Sets whether this member asks for votes. It goes on voting, and keeps orders. */
  private void mayLead(boolean may) {
    LeaderElectionManagementRequest.Op op =
        may
            ? new LeaderElectionManagementRequest.Resume()
            : new LeaderElectionManagementRequest.Pause();
    LeaderElectionManagementRequest request =
        new LeaderElectionManagementRequest(
            ClientId.randomId(), server.getId(), Group.ID, CallId.getAndIncrement(), op);
    server.leaderElectionManagementAsync(request).join();
  }

  private boolean anotherLeads() {
    RaftPeerId leader = info.getLeaderId();
    return leader != null && !leader.equals(server.getId());
  }

  private TransferLeadershipRequest transferTo(RaftPeerId next) {
    tried = next;
    return new TransferLeadershipRequest(
        ClientId.randomId(), server.getId(), Group.ID, CallId.getAndIncrement(), next, TRY_MILLIS);
  }

  /** Returns the follower that lacks the least, another after a try; empty if this is no leader. */
  private Optional<RaftPeerId> successor() {
    Map<RaftPeerId, Long> committed =
        division.getCommitInfos().stream()
            .collect(
                toMap(it -> RaftPeerId.valueOf(it.getServer().getId()), it -> it.getCommitIndex()));
    long needed = committed.getOrDefault(server.getId(), 0L) - LAG;
    return info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
        .filter(follower -> follower.getLastRpcElapsedTimeMs() < ALIVE_MILLIS)
        .map(follower -> RaftPeerId.valueOf(follower.getId().getId()))
        .filter(follower -> committed.getOrDefault(follower, -1L) >= needed)
        .max(
            Comparator.<RaftPeerId, Boolean>comparing(follower -> !follower.equals(tried))
                .thenComparing(follower -> committed.getOrDefault(follower, 0L)));
  }
}
