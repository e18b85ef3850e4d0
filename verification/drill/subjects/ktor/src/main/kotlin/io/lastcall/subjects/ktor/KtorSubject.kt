package io.lastcall.subjects.ktor

import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.lastcall.GracefulShutdown
import io.lastcall.examples.ktor.serve
import kotlin.system.exitProcess
import kotlinx.coroutines.runBlocking
import org.slf4j.LoggerFactory

/**
 * The quick start with the drill's paths. Environment: `PORT`; `PROBE_PORT`, where set, serves the
 * probes on a port of their own too; `NAIVE=true` runs the same server without the library;
 * `LASTCALL_*`, the library's settings.
 */
object KtorSubject {
    private val log = LoggerFactory.getLogger(KtorSubject::class.java)
    private val port = System.getenv("PORT")?.toInt() ?: 8080

    /** Starts the server and keeps the process up; a failed start ends it. */
    @JvmStatic
    fun main(args: Array<String>) {
        try {
            val server = if (System.getenv("NAIVE").toBoolean()) serveNaively() else serve(shutdown(), port) { routes() }
            val connector = runBlocking { server.engine.resolvedConnectors().single() }
            log.info("ready on port {}", connector.port)
            // Ktor's threads are daemons.
            Thread.currentThread().join()
        } catch (failure: Throwable) {
            log.error("not started", failure)
            exitProcess(1)
        }
    }

    private fun shutdown() =
        GracefulShutdown.builder()
            .awaitStarted()
            .configuration("probe-port", System.getenv("PROBE_PORT") ?: "off", "environment PROBE_PORT")
            .install()

    private fun serveNaively() =
        embeddedServer(Netty, configure = { connector { port = KtorSubject.port } }) { routes() }.start()
}
