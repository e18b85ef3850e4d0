@NullMarked
package io.lastcall.grpc;

import org.jspecify.annotations.NullMarked;
