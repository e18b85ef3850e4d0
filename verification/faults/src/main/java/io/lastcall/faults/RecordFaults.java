package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;

import java.util.List;

/** Report file and termination message that cannot be written. */
final class RecordFaults {
  private static final String REPORT = "lastcall.report-file";

  private RecordFaults() {}

  static List<Fault> all() {
    return List.of(
        record("nothing is broken", Right.clean()),
        file("the report file is a folder").shell("mkdir $F/report.json"),
        file("the report file's folder is missing").with(REPORT, "$F/missing/report.json"),
        file("the report file is a fifo that is not read").shell("mkfifo $F/report.json"),
        file("the report file is /dev/full").with(REPORT, "/dev/full"),
        record("no file may grow (ulimit -f 0)", Right.clean().onlyLog("nothing can be written"))
            .shell("ulimit -f 0"),
        file("the file system is full")
            .needs(Fault.Need.NAMESPACES)
            .shell("mkdir $F/full; mount -t tmpfs -o size=16k faults $F/full")
            .shell("cat /dev/zero > $F/full/zeros 2> /dev/null")
            .with(REPORT, "$F/full/report.json"),
        message("the termination message is a folder")
            .shell("umount /dev/termination-log; rm /dev/termination-log")
            .shell("mkdir /dev/termination-log"),
        message("the termination message is a fifo that is not read")
            .shell("umount /dev/termination-log; rm /dev/termination-log")
            .shell("mkfifo /dev/termination-log"),
        message("the termination message is on a full device")
            .shell("mount --bind /dev/full /dev/termination-log"));
  }

  private static Fault record(String name, Right right) {
    return Fault.of("Records", NETTY, name, right);
  }

  private static Fault file(String name) {
    return record(name, Right.clean().noFile("it cannot be written"));
  }

  private static Fault message(String name) {
    return record(name, Right.clean().noMessage("it cannot be written"))
        .needs(Fault.Need.NAMESPACES);
  }
}
