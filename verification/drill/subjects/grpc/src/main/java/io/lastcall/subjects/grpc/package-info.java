/** gRPC as a subject of the drill and of other black-box tests. */
@NullMarked
package io.lastcall.subjects.grpc;

import org.jspecify.annotations.NullMarked;
