/**
 * What Kubernetes knows of the own Pod and the process does not: when it is killed. Found by core,
 * nothing here is called by an application. {@link io.lastcall.kubernetes.OwnPod} asks the API
 * server when the process starts and when it ends.
 */
@NullMarked
package io.lastcall.kubernetes;

import org.jspecify.annotations.NullMarked;
