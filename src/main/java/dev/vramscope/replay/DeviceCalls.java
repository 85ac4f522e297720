package dev.vramscope.replay;

/** The number of calls to a device by kind; of allocations, only the successful ones. */
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
