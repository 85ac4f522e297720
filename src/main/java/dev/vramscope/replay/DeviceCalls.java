package dev.vramscope.replay;

/** How often a card was asked for what; of requests for memory, those that it granted. */
record DeviceCalls(
    long allocate,
    long free,
    long createPage,
    long releasePage,
    long map,
    long unmap,
    long reserve,
    long freeReservation,
    long recordEvent,
    long isDone,
    long synchronizeEvent) {}
