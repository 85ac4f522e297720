/* The properties of the driver and its only device. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "configuration.h"
#include "contexts.h"
#include "host.h"
#include "physical.h"

enum { LAST_ATTRIBUTE = 147 };

static const char NAME[] = "vramscope emulated GPU";
static const char PCI_BUS_ID[] = "0000:00:00.0";
static const CUuuid UUID = {"vramscope-emulat"};

/* The attributes that are not 0, by CUdevice_attribute number. */
static const struct {
  int attribute, value;
} attributes[] = {
    {1, 1024},        /* threads per block */
    {2, 1024},        /* block x, y, z */
    {3, 1024},        {4, 64},
    {5, 2147483647},  /* grid x, y, z */
    {6, 65535},       {7, 65535},
    {8, 49152},       /* shared memory per block */
    {9, 65536},       /* constant memory */
    {10, 32},         /* warp size */
    {11, 2147483647}, /* maximum pitch */
    {12, 65536},      /* registers per block */
    {13, 1000000},    /* clock, kHz */
    {14, 512},        /* texture alignment */
    {15, 1},          /* copies overlap with kernels */
    {16, 1},          /* multiprocessors */
    {19, 1},          /* can map host memory */
    {31, 1},          /* concurrent kernels */
    {36, 1000000},    /* memory clock, kHz */
    {37, 64},         /* memory bus width */
    {38, 1048576},    /* L2 cache size */
    {39, 1024},       /* threads per multiprocessor */
    {40, 2},          /* copy engines */
    {41, 1},          /* unified addressing */
    {75, 8},          /* compute capability 8.0 */
    {76, 0},          {78, 1}, /* stream priorities */
    {81, 65536},      /* shared memory per multiprocessor */
    {82, 65536},      /* registers per multiprocessor */
    {91, 1},          /* registered host memory has the same address on the device */
    {97, 49152},      /* shared memory per block, opt-in */
    {99, 1},          /* can register host memory */
    {102, 1},         /* virtual memory management */
    {106, 16},        /* blocks per multiprocessor */
};

static CUresult get(CUdevice *device, int ordinal) {
  if (device == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (ordinal != 0) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  *device = 0;
  return CUDA_SUCCESS;
}

static CUresult put_number(int *to, int value) {
  if (to == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *to = value;
  return CUDA_SUCCESS;
}

static CUresult get_attribute(int *value, int attribute, CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (value == NULL || attribute < 1 || attribute > LAST_ATTRIBUTE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *value = 0;
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    *value = attributes[i].attribute == attribute ? attributes[i].value : *value;
  }
  return CUDA_SUCCESS;
}

static CUresult put_text(char *to, int capacity, const char *text, CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (to == NULL || capacity <= 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  snprintf(to, (size_t)capacity, "%s", text);
  return CUDA_SUCCESS;
}

static CUresult total(size_t *bytes, CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (bytes == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *bytes = physical_capacity();
  return CUDA_SUCCESS;
}

static CUresult put_uuid(CUuuid *uuid, CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (uuid == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *uuid = UUID;
  return CUDA_SUCCESS;
}

static CUresult by_bus_id(CUdevice *device, const char *id) {
  char text[sizeof PCI_BUS_ID];
  if (device == NULL || id == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  bool matches = host_read_text(id, text, sizeof text) == CUDA_SUCCESS && strcmp(text, PCI_BUS_ID) == 0;
  return matches ? get(device, 0) : CUDA_ERROR_INVALID_DEVICE;
}

DRIVER_EXPORT CUresult cuDriverGetVersion(int *version) {
  DRIVER_CALL(NEEDS_NOTHING, configuration_version(version));
}

DRIVER_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) { DRIVER_CALL(NEEDS_INIT, get(device, ordinal)); }

DRIVER_EXPORT CUresult cuDeviceGetCount(int *count) { DRIVER_CALL(NEEDS_INIT, put_number(count, 1)); }

DRIVER_EXPORT CUresult cuDeviceGetName(char *name, int capacity, CUdevice device) {
  DRIVER_CALL(NEEDS_INIT, put_text(name, capacity, NAME, device));
}

DRIVER_EXPORT CUresult cuDeviceGetPCIBusId(char *id, int capacity, CUdevice device) {
  DRIVER_CALL(NEEDS_INIT, put_text(id, capacity, PCI_BUS_ID, device));
}

DRIVER_EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  DRIVER_CALL(NEEDS_INIT, by_bus_id(device, id));
}

DRIVER_EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  DRIVER_CALL(NEEDS_INIT, put_uuid(uuid, device));
}

DRIVER_EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  DRIVER_CALL(NEEDS_INIT, total(bytes, device));
}

DRIVER_EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  DRIVER_CALL(NEEDS_INIT, get_attribute(value, attribute, device));
}
