package io.lastcall.subjects.ktor

import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.request.receiveChannel
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.response.respondTextWriter
import io.ktor.server.routing.RoutingContext
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.ktor.server.websocket.WebSockets
import io.ktor.server.websocket.webSocket
import io.ktor.utils.io.discard
import io.ktor.websocket.Frame
import io.ktor.websocket.readText
import io.ktor.websocket.send
import kotlinx.coroutines.delay

private const val PIECE_MILLIS = 100L

/** The application: it knows nothing of shutdowns. */
internal fun Application.routes() {
    install(WebSockets)
    routing {
        get("/fast") { call.respondText("fast\n") }
        get("/work") {
            timed { millis ->
                delay(millis)
                call.respondText("w".repeat(1_000))
            }
        }
        get("/stream") {
            timed { millis ->
                call.respondTextWriter {
                    repeat((millis / PIECE_MILLIS).toInt()) {
                        delay(PIECE_MILLIS)
                        write("s".repeat(100))
                        flush()
                    }
                }
            }
        }
        // In answer to POST each piece is an event.
        post("/stream") {
            timed { millis ->
                call.respondTextWriter(ContentType.Text.EventStream) {
                    repeat((millis / PIECE_MILLIS).toInt()) {
                        delay(PIECE_MILLIS)
                        write("data:" + "s".repeat(93) + "\n\n")
                        flush()
                    }
                }
            }
        }
        post("/upload") { call.respondText(call.receiveChannel().discard().toString()) }
        get("/sse") {
            call.respondTextWriter(ContentType.Text.EventStream) {
                while (true) {
                    write("data: tick\n\n")
                    flush()
                    delay(5 * PIECE_MILLIS)
                }
            }
        }
        webSocket("/ws") { for (frame in incoming) if (frame is Frame.Text) send(frame.readText()) }
        // Reached only without the library, which answers them itself.
        for (probe in listOf("/livez", "/readyz", "/startupz")) get(probe) { call.respondText("ok\n") }
    }
}

/** What takes the time that `ms` says. */
private suspend fun RoutingContext.timed(answer: suspend (Long) -> Unit) {
    val millis = (call.request.queryParameters["ms"] ?: "0").toLongOrNull()
    if (millis == null) call.respond(HttpStatusCode.BadRequest) else answer(maxOf(0, millis))
}
