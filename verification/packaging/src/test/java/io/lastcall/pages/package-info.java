/** The documentation is in step with the repository: links, examples, named tests. */
@NullMarked
package io.lastcall.pages;

import org.jspecify.annotations.NullMarked;
