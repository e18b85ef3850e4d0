package io.lastcall.agent;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;

/**
 * A server on Netty that speaks no HTTP: it sends back all that it gets. By TLS where the system
 * property {@code keys} names a key store.
 */
final class NettyEchoApplication {
  private NettyEchoApplication() {}

  public static void main(String[] args) throws Exception {
    String keys = System.getProperty("keys");
    SslContext tls = keys == null ? null : tls(keys);
    Channel listener =
        new ServerBootstrap()
            .group(new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory()))
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (tls != null) {
                      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                    }
                    channel.pipeline().addLast(new Echo());
                  }
                })
            .bind(0)
            .sync()
            .channel();
    System.out.println("ready on port " + ((InetSocketAddress) listener.localAddress()).getPort());
  }

  private static SslContext tls(String keys) throws Exception {
    return SslContextBuilder.forServer(keys(keys)).build();
  }

  static KeyManagerFactory keys(String file) throws Exception {
    char[] secret = "changeit".toCharArray();
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(KeyStore.getInstance(new File(file), secret), secret);
    return own;
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.writeAndFlush(message);
    }
  }
}
