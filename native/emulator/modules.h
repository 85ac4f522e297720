/* Modules: our own PTX, whose kernels the emulator recognizes by name. Needs the lock. */
#ifndef VRAMSCOPE_MODULES_H
#define VRAMSCOPE_MODULES_H

void modules_close_all(void);

#endif
