package io.lastcall.spring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** A collector of OTLP's, which names what it gets as Prometheus' own receiver does. */
final class Collector implements AutoCloseable {
  private final HttpServer server;
  private final List<ExportMetricsServiceRequest> pushes = new CopyOnWriteArrayList<>();

  Collector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/metrics", this::receive);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/metrics";
  }

  private void receive(HttpExchange exchange) throws IOException {
    boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    try (InputStream body = exchange.getRequestBody();
        InputStream plain = zipped ? new GZIPInputStream(body) : body) {
      pushes.add(ExportMetricsServiceRequest.parseFrom(plain));
      exchange.sendResponseHeaders(200, -1);
    } finally {
      exchange.close();
    }
  }

  /** Returns the samples of the last push by name and labels; gauges and counters. */
  Map<String, Double> last() {
    Map<String, Double> samples = new TreeMap<>();
    pushes.get(pushes.size() - 1).getResourceMetricsList().stream()
        .flatMap(resource -> resource.getScopeMetricsList().stream())
        .flatMap(scope -> scope.getMetricsList().stream())
        .forEach(metric -> add(metric, samples));
    return samples;
  }

  /** Returns what the last push says of the process, as labels. */
  String resource() {
    return labels(
        pushes.get(pushes.size() - 1).getResourceMetrics(0).getResource().getAttributesList());
  }

  int pushes() {
    return pushes.size();
  }

  private static void add(Metric metric, Map<String, Double> samples) {
    String name = withUnit(metric);
    for (NumberDataPoint point : metric.getGauge().getDataPointsList()) {
      samples.put(name + labels(point.getAttributesList()), value(point));
    }
    String total = metric.getSum().getIsMonotonic() ? name + "_total" : name;
    for (NumberDataPoint point : metric.getSum().getDataPointsList()) {
      samples.put(total + labels(point.getAttributesList()), value(point));
    }
    metric
        .getHistogram()
        .getDataPointsList()
        .forEach(
            point ->
                samples.put(
                    name + "_count" + labels(point.getAttributesList()),
                    (double) point.getCount()));
  }

  /** The unit is added unless the name has it already. */
  private static String withUnit(Metric metric) {
    String name = metric.getName().replace('.', '_');
    String unit = metric.getUnit();
    return unit.isEmpty() || List.of(name.split("_")).contains(unit) ? name : name + "_" + unit;
  }

  private static double value(NumberDataPoint point) {
    return point.hasAsInt() ? point.getAsInt() : point.getAsDouble();
  }

  /** As in Prometheus' text format, in order. */
  private static String labels(List<KeyValue> attributes) {
    String labels =
        attributes.stream()
            .map(label -> label.getKey() + "=\"" + label.getValue().getStringValue() + "\"")
            .sorted()
            .collect(Collectors.joining(","));
    return labels.isEmpty() ? "" : "{" + labels + "}";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
