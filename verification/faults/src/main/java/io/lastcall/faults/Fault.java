package io.lastcall.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** One fault: how the process is broken, what its clients do, and what is right. */
final class Fault {
  /** The server in the process. */
  enum Server {
    TOMCAT,
    NETTY,
    NONE
  }

  /** What is there besides a JVM. */
  enum Need {
    NAMESPACES,
    C_COMPILER,
    /** A JVM in which it can be set: before Java 24. */
    SECURITY_MANAGER
  }

  /** How its output is read. */
  enum Reading {
    ALL,
    NOTHING,
    SLOWLY,
    CLOSED
  }

  /** The requests that are there by themselves. */
  enum Requests {
    /** Some in flight, and new ones for as long as routers send them. */
    ARRIVING,
    IN_FLIGHT,
    NONE
  }

  /** What a client, or the kubelet, does to the process. */
  interface Part {
    void play(Run run) throws Exception;
  }

  final String kind;
  final String name;
  final Server server;
  final Right right;
  final List<String> properties = new ArrayList<>();
  final List<String> options = new ArrayList<>();
  final List<String> shell = new ArrayList<>();
  final List<Pattern> told = new ArrayList<>();
  final List<Need> needs = new ArrayList<>();
  final List<Part> before = new ArrayList<>();
  final List<Part> after = new ArrayList<>();
  Part trigger = run -> run.terminate();
  Reading reading = Reading.ALL;
  Requests requests = Requests.ARRIVING;
  boolean pidOne;
  String readyLine = "ready";
  private final List<String> places = new ArrayList<>();

  private Fault(String kind, Server server, String name, Right right) {
    this.kind = kind;
    this.server = server;
    this.name = name;
    this.right = right;
    if (server == Server.NONE) {
      requests = Requests.NONE;
    }
  }

  static Fault of(String kind, Server server, String name, Right right) {
    return new Fault(kind, server, name, right);
  }

  /** Where code is broken in the process, and how: {@code step:DRAIN=hang}. */
  Fault breaks(String place) {
    places.add(place);
    return this;
  }

  /** A system property of the process; {@code $F} is its folder. */
  Fault with(String key, String value) {
    properties.add("-D" + key + "=" + value);
    return this;
  }

  /** Options of the JVM. */
  Fault jvm(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  /** A line of the shell that becomes the process; {@code $F} is its folder. */
  Fault shell(String line) {
    shell.add(line);
    return this;
  }

  /** Words, as a regular expression, that the log must have. */
  Fault tells(String words) {
    told.add(Pattern.compile(words));
    return this;
  }

  Fault needs(Need need) {
    needs.add(need);
    return this;
  }

  Fault asPidOne() {
    pidOne = true;
    return needs(Need.NAMESPACES);
  }

  Fault reading(Reading how) {
    reading = how;
    return this;
  }

  Fault requests(Requests which) {
    requests = which;
    return this;
  }

  /** Once it is up, before the load. */
  Fault before(Part part) {
    before.add(part);
    return this;
  }

  /** What begins the shutdown; by default SIGTERM. */
  Fault trigger(Part part) {
    trigger = part;
    return this;
  }

  /** Right after the trigger, each part on a thread of its own. */
  Fault after(Part part) {
    after.add(part);
    return this;
  }

  /** What the process says when it is time for the load and the trigger; by default "ready". */
  Fault readyAt(String line) {
    readyLine = line;
    return this;
  }

  String places() {
    return String.join(",", places);
  }

  /** The name of its folder. */
  String id() {
    return (kind + " " + name + " " + server)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9]+", "-");
  }

  @Override
  public String toString() {
    return kind + ": " + name;
  }
}
