package io.lastcall.report;

/**
 * Work of one name, as it went.
 *
 * @param name its name
 * @param finished units that have run to their end since the trigger
 * @param abandoned units that were open when they were not waited for any longer
 * @param refused units that came too late to begin, or were dropped, since the trigger
 */
public record WorkReport(String name, long finished, long abandoned, long refused) {}
