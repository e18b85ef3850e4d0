package io.lastcall.probe;

/**
 * What to answer a probe with; the kubelet takes 200-399 as passed.
 *
 * @param status 200 or 503
 * @param body plain text, one line
 */
public record ProbeAnswer(int status, String body) {}
