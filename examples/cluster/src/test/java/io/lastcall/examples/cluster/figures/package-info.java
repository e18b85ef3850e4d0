@NullMarked
package io.lastcall.examples.cluster.figures;

import org.jspecify.annotations.NullMarked;
