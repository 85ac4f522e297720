@org.jspecify.annotations.NullMarked
package dev.vramscope.live.feed;
