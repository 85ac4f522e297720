@NullMarked
package dev.vramscope.web;

import org.jspecify.annotations.NullMarked;
