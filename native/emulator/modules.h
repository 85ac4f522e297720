/* Modules: our own PTX, whose kernels the emulator knows by name. Single-threaded. */
#ifndef VRAMSCOPE_MODULES_H
#define VRAMSCOPE_MODULES_H

void modules_close_all(void);

#endif
