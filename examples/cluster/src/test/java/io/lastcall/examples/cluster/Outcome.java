package io.lastcall.examples.cluster;

import java.util.List;

/**
 * What one shutdown by a real SIGTERM came to.
 *
 * @param wrong what must not be: something lost, done twice, or in the wrong order
 * @param handOverMillis from SIGTERM until another leads, or the registry has dropped it
 * @param pauseMillis the longest time in which none led; or from SIGTERM to the last request
 * @param goneMillis from SIGTERM until the process was gone
 * @param exitCode of the process
 */
public record Outcome(
    List<String> wrong,
    double handOverMillis,
    double pauseMillis,
    double goneMillis,
    int exitCode) {}
