package io.lastcall.report;

/**
 * Work of one name, as it went.
 *
 * @param name its name
 * @param finished units that have ended since the trigger
 * @param abandoned units that were open when DRAIN timed out
 */
public record WorkReport(String name, long finished, long abandoned) {}
