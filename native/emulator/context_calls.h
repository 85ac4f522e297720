/* The driver's functions for contexts, and cuInit. Needs the lock. */
#ifndef VRAMSCOPE_CONTEXT_CALLS_H
#define VRAMSCOPE_CONTEXT_CALLS_H

/* Destroys the primary context and undoes cuInit. */
void context_calls_reset(void);

#endif
