/** The description of the REST API, and the page about the service. */
@NullMarked
package dev.vramscope.web.docs;

import org.jspecify.annotations.NullMarked;
