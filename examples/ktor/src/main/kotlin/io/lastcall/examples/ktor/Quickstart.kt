package io.lastcall.examples.ktor

import io.ktor.server.application.Application
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.netty.NettyApplicationEngine
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.lastcall.GracefulShutdown
import io.lastcall.netty.NettyDrain
import io.lastcall.phase.Phase

/** Starts an application on port 8080 that leaves without losing a request. */
fun main() {
    serve(GracefulShutdown.builder().awaitStarted().install(), 8080) {
        routing { get("/") { call.respondText("hello\n") } }
    }
    // Ktor's threads are daemons.
    Thread.currentThread().join()
}

fun serve(
    shutdown: GracefulShutdown,
    port: Int,
    module: suspend Application.() -> Unit,
): EmbeddedServer<NettyApplicationEngine, NettyApplicationEngine.Configuration> {
    // Ktor's own shutdown hook would stop the server at once where something else exits.
    System.setProperty("io.ktor.server.engine.ShutdownHook", "false")
    val server =
        embeddedServer(
            Netty,
            configure = {
                connector { this.port = port }
                configureBootstrap = {
                    handler(NettyDrain.of(shutdown).listenerHandler("ktor", shutdown::server))
                }
            },
            module = module,
        )
    server.start()
    // When this runs no request is left: nothing is to be waited for.
    shutdown.step(Phase.CLOSE_CONNECTIONS, "ktor") { server.stop(0, it.deadline().remaining().toMillis()) }
    shutdown.started()
    return server
}
