/**
 * What Kubernetes knows of the own Pod, and what the Pod has to do before Kubernetes may stop it.
 * {@link io.lastcall.kubernetes.OwnPod} asks the API server when the process is killed. A {@link
 * io.lastcall.kubernetes.Preparation} is registered by the application and asked on the probes'
 * port.
 */
@NullMarked
package io.lastcall.kubernetes;

import org.jspecify.annotations.NullMarked;
