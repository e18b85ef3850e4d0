package io.lastcall.examples.cluster.raft;

import io.lastcall.examples.cluster.Moments;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

/** What the group keeps: the orders that were written. It knows nothing of shutdowns. */
final class Orders extends BaseStateMachine {
  private final Set<String> orders = ConcurrentHashMap.newKeySet();

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    orders.add(entry.getStateMachineLogEntry().getLogData().toStringUtf8());
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  /** Returns all of them, in lines. */
  @Override
  public CompletableFuture<Message> query(Message request) {
    return CompletableFuture.completedFuture(Message.valueOf(String.join("\n", orders)));
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId self, RaftPeerId leader) {
    Moments.print(leader.equals(self.getPeerId()) ? "elected" : "following", leader.toString());
  }

  @Override
  public void notifyLeaderReady() {
    Moments.print("leading", getId().toString());
  }
}
