package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownPictureTest {
  private static final String JSON =
      """
      {"schema":2,"outcome":"INCOMPLETE","exitCode":80,"began":"2026-11-21T10:15:30Z","took":2050.5,
       "trigger":{"kind":"STOP_SIGNAL","reason":"SIGTERM"},
       "advice":[{"kind":"GRACE_PERIOD_IS_TIGHT","text":"took 28 s <of> 29 s"}],
       "phases":[{"phase":"KEEP_SERVING","began":0,"planned":2000,"took":2000,"complete":true},
                 {"phase":"DRAIN","began":2000,"planned":2000,"took":50,"complete":false}],
       "steps":[{"phase":"DRAIN","name":"<lease>","order":0,"began":2000,"took":50,
                 "result":"TIMED_OUT","failure":null}],
       "requests":{"served":12,"late":0,"refused":1,"abandoned":0,"lastArrival":1500},
       "unfinished":[{"description":"GET /slow","age":3000,"thread":"worker-1"}],
       "connections":{"closed":{},"abandoned":0},
       "plan":{"grace-period":30000}}
      """;

  @Test
  void page_showsPhasesStepsAndAdvice() throws IOException {
    String page = ShutdownPicture.page(JSON);

    for (String part :
        List.of(
            "<span class=\"bad\">incomplete</span>",
            "Begun by SIGTERM at 2026-11-21T10:15:30Z, over after 2.05 s, exit code 80.",
            "<li>took 28 s &lt;of&gt; 29 s</li>",
            ">keep serving</span>",
            "<td>GET /slow</td><td>worker-1</td><td>3.00 s</td>")) {
      assertTrue(page.contains(part), () -> part + "\nnot in\n" + page);
    }
    assertFalse(page.contains("<lease>"), "not escaped");
  }

  @Test
  void page_whereSomebodyElseChoseTheExitCode_namesNone() throws IOException {
    String page = ShutdownPicture.page(JSON.replace("\"exitCode\":80", "\"exitCode\":null"));

    assertTrue(page.contains("over after 2.05 s, with an exit code set elsewhere.</p>"), page);
  }

  @Test
  void page_fetchesNothing_andRunsNothing() throws IOException {
    String page = ShutdownPicture.page(JSON);

    for (String outside : List.of("http:", "https:", "url(", "@import", "<script", "src=")) {
      assertFalse(page.contains(outside), outside);
    }
  }

  @Test
  void page_ofAShutdownThatNeverEnded_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ShutdownPicture.page("{\"schema\":2,\"outcome\":\"UNFINISHED\"}"));
    assertThrows(IllegalArgumentException.class, () -> ShutdownPicture.page("{}"));
  }

  @Test
  void json_everyKindOfValue_isRead() {
    ShutdownJson report =
        ShutdownJson.read(
            """
            {"schema": 2, "real": -2.5e3, "text": "a\\"\\\\\\n\\u00e9\\/", "yes": true, "none": null,
            "list": [{}, {"b": 2}]}
            """);

    assertEquals(2.0, report.number("schema"));
    assertEquals(-2500.0, report.number("real"));
    assertEquals("a\"\\\n\u00e9/", report.text("text"));
    assertTrue(report.flag("yes"));
    assertFalse(report.has("none"));
    assertEquals(2.0, report.objects("list").get(1).number("b"));
  }

  @Test
  void json_broken_isRefused() {
    for (String broken :
        List.of("", "{", "[1,", "\"a", "{\"a\"}", "tru", "1 2", "[1}", "\"\\uzzzz\"")) {
      assertThrows(IllegalArgumentException.class, () -> ShutdownJson.read(broken), broken);
    }
  }
}
