/**
 * Shutdown by annotation: {@link io.lastcall.annotation.OnShutdown} on what a component does,
 * {@link io.lastcall.annotation.ShutdownSettings} on how long it may take.
 */
@NullMarked
package io.lastcall.annotation;

import org.jspecify.annotations.NullMarked;
