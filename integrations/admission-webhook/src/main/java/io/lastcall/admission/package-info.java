/**
 * A validating admission webhook that lets nobody delete or evict a guarded Pod until the
 * application in it is prepared. {@link io.lastcall.admission.AdmissionWebhook} is the server,
 * {@code Review} the question of the API server, {@code Guard} decides, {@code PodClient} asks the
 * application, {@code Follower} tells the owner when the Pod has turned prepared.
 */
@NullMarked
package io.lastcall.admission;

import org.jspecify.annotations.NullMarked;
