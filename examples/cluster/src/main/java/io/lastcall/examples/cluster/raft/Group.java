package io.lastcall.examples.cluster.raft;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.TimeDuration;

/** The group that keeps orders, as its members and clients know it. */
final class Group {
  static final RaftGroupId ID = RaftGroupId.valueOf(new UUID(0, 1));

  private Group() {}

  /**
   * Returns the group. All members have one priority: Ratis moves the leadership to none that has a
   * lower one than another.
   *
   * @param members as {@code a=host:port}
   */
  static RaftGroup of(List<String> members) {
    return RaftGroup.valueOf(
        ID,
        members.stream()
            .map(member -> member.split("=", 2))
            .map(parts -> RaftPeer.newBuilder().setId(parts[0]).setAddress(parts[1]).build())
            .toList());
  }

  /** Returns a member, which goes on with what its directory has. */
  static RaftServer member(String name, File directory, List<String> members) throws IOException {
    RaftGroup group = of(members);
    RaftPeerId id = RaftPeerId.valueOf(name);
    RaftProperties properties = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(properties, List.of(directory));
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, TimeDuration.valueOf(1, TimeUnit.SECONDS));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, TimeDuration.valueOf(2, TimeUnit.SECONDS));
    GrpcConfigKeys.Server.setPort(
        properties, NetUtils.createSocketAddr(group.getPeer(id).getAddress()).getPort());
    return RaftServer.newBuilder()
        .setServerId(id)
        .setGroup(group)
        .setProperties(properties)
        .setOption(StartupOption.RECOVER)
        .setStateMachine(new Orders())
        .build();
  }
}
