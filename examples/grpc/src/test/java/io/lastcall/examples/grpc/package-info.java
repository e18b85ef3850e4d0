@NullMarked
package io.lastcall.examples.grpc;

import org.jspecify.annotations.NullMarked;
