/**
 * A check of Kubernetes manifests against the plan of the shutdown, for a pipeline. {@link
 * io.lastcall.manifests.ManifestCheck} is the command; {@link io.lastcall.manifests.ManifestReader}
 * reads, the classes named {@code ...Checks} find, {@link io.lastcall.manifests.Rule} lists what,
 * {@link io.lastcall.manifests.Sarif} and plain text say it.
 */
@NullMarked
package io.lastcall.manifests;

import org.jspecify.annotations.NullMarked;
