/*
 * The part of the driver API that the emulator implements: our own declarations, checked against the ABI
 * of CUDA 12 and 13. Handles are opaque numbers, which are never dereferenced.
 */
#ifndef VRAMSCOPE_DRIVER_H
#define VRAMSCOPE_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#define DRIVER_EXPORT __attribute__((visibility("default")))

typedef enum {
#define RESULT(name, number, text) name = number,
#include "results.def"
#undef RESULT
} CUresult;

typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef uint64_t CUmemGenericAllocationHandle;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

typedef struct {
  char bytes[16];
} CUuuid;

typedef struct {
  int type;
  int id;
} CUmemLocation;

typedef struct {
  int type;
  int requestedHandleTypes;
  CUmemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} CUmemAllocationProp;

typedef struct {
  CUmemLocation location;
  int flags;
} CUmemAccessDesc;

_Static_assert(sizeof(CUmemAllocationProp) == 32, "the driver's ABI");
_Static_assert(sizeof(CUmemAccessDesc) == 12, "the driver's ABI");

enum {
  CU_MEM_LOCATION_TYPE_DEVICE = 1,
  CU_MEM_ALLOCATION_TYPE_PINNED = 1,
  CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
  CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
  CU_STREAM_NON_BLOCKING = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_FLAGS = 7,
  CU_MEMHOSTALLOC_FLAGS = 7,
  CU_MEMHOSTREGISTER_FLAGS = 15,
  CU_CTX_FLAGS = 255,
};

#define CU_STREAM_LEGACY ((CUstream)1)

#endif
