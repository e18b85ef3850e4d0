@NullMarked
package io.lastcall.examples.work.figures;

import org.jspecify.annotations.NullMarked;
