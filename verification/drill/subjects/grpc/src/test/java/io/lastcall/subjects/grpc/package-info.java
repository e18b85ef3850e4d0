@NullMarked
package io.lastcall.subjects.grpc;

import org.jspecify.annotations.NullMarked;
