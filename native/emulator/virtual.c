#include "virtual.h"

#include <stdlib.h>

#include "calls.h"
#include "handles.h"
#include "memory.h"
#include "physical.h"
#include "ranges.h"

static const uint64_t BYTES = 1ull << 46;

/* Physical memory without an address. It is freed once it is released and not mapped. */
struct page {
  uint64_t bytes, offset;
  uint64_t references; /* not yet released */
  uint64_t mappings;
};

static struct free_ranges addresses;
static struct spans reservations;

static struct page *page_of(uint64_t handle) { return handle_object(HANDLE_PAGE, handle); }

static void free_if_unused(uint64_t handle) {
  struct page *page = page_of(handle);
  if (page->references == 0 && page->mappings == 0) {
    physical_release(page->offset, page->bytes);
    handle_close(HANDLE_PAGE, handle);
  }
}

static CUresult reserve(CUdeviceptr *address, size_t bytes, size_t alignment, uint64_t flags) {
  bool aligned = (alignment & (alignment - 1)) == 0;
  if (address == NULL || bytes == 0 || !aligned || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (addresses.spans.entries == NULL && !ranges_init(&addresses, memory_base() + (1ull << 44), BYTES)) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  struct span reservation = {.bytes = physical_round_up(bytes)};
  uint64_t effective_alignment = alignment > physical_granularity() ? alignment : physical_granularity();
  if (!ranges_allocate(&addresses, reservation.bytes, effective_alignment, &reservation.start)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (!spans_insert(&reservations, reservation)) {
    ranges_free(&addresses, reservation.start, reservation.bytes);
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  *address = reservation.start;
  return CUDA_SUCCESS;
}

static CUresult free_reservation(CUdeviceptr address, size_t bytes) {
  struct span *reservation = spans_at(&reservations, address);
  if (reservation == NULL || reservation->start != address || bytes == 0 ||
      reservation->bytes != physical_round_up(bytes) ||
      spans_within(memory_mappings(), address, reservation->bytes) != NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  ranges_free(&addresses, address, reservation->bytes);
  spans_remove(&reservations, reservation);
  return CUDA_SUCCESS;
}

static CUresult check_location(const CUmemAllocationProp *prop) {
  if (prop == NULL || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return prop->location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult create(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
                       uint64_t flags) {
  CUresult result = check_location(prop);
  if (result != CUDA_SUCCESS) {
    return result;
  }
  if (handle == NULL || bytes == 0 || !physical_is_multiple(bytes) || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  struct page *page = malloc(sizeof *page);
  if (page == NULL) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  *page = (struct page){.bytes = bytes, .references = 1};
  result = physical_allocate(bytes, &page->offset);
  if (result != CUDA_SUCCESS) {
    free(page);
    return result;
  }
  uint64_t opened = handle_open(HANDLE_PAGE, page);
  if (opened == 0) {
    physical_release(page->offset, bytes);
    free(page);
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  *handle = opened;
  return CUDA_SUCCESS;
}

static CUresult release(CUmemGenericAllocationHandle handle) {
  struct page *page = page_of(handle);
  if (page == NULL || page->references == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  page->references--;
  free_if_unused(handle);
  return CUDA_SUCCESS;
}

static CUresult retain(CUmemGenericAllocationHandle *handle, uint64_t address) {
  struct span *mapping = spans_at(memory_mappings(), address);
  if (handle == NULL || mapping == NULL || mapping->page == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  page_of(mapping->page)->references++;
  *handle = mapping->page;
  return CUDA_SUCCESS;
}

static CUresult map(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                    uint64_t flags) {
  struct page *page = page_of(handle);
  if (page == NULL || page->references == 0 || bytes == 0 || bytes > page->bytes || offset != 0 || flags != 0 ||
      !physical_is_multiple(bytes) || !physical_is_multiple(address)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  struct span *reservation = spans_at(&reservations, address);
  if (reservation == NULL || bytes > reservation->start + reservation->bytes - address) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (spans_within(memory_mappings(), address, bytes) != NULL) {
    return CUDA_ERROR_ALREADY_MAPPED;
  }
  CUresult result =
      memory_map((struct span){.start = address, .bytes = bytes, .offset = page->offset, .page = handle});
  if (result == CUDA_SUCCESS) {
    page->mappings++;
  }
  return result;
}

/* Only whole mappings can be unmapped or changed, several in one call if they are adjacent. */
static bool are_mapped_pages(CUdeviceptr address, size_t bytes) {
  if (!spans_tile(memory_mappings(), address, bytes)) {
    return false;
  }
  /* Allocations of cuMemAlloc are far below the reservations, so checking both ends is enough. */
  return spans_at(memory_mappings(), address)->page != 0 && spans_at(memory_mappings(), address + bytes - 1)->page != 0;
}

static CUresult unmap(CUdeviceptr address, size_t bytes) {
  if (!are_mapped_pages(address, bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  struct span *mapping;
  while ((mapping = spans_within(memory_mappings(), address, bytes)) != NULL) {
    uint64_t handle = mapping->page;
    memory_unmap(mapping);
    page_of(handle)->mappings--;
    free_if_unused(handle);
  }
  return CUDA_SUCCESS;
}

static CUresult set_access(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *descs, size_t count) {
  bool valid = descs != NULL && count == 1 && /* there is one device, so one descriptor */
               descs->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
               (descs->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || descs->flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                descs->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  if (!valid || !are_mapped_pages(address, bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (descs->location.id != 0) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  uint32_t access = (uint32_t)descs->flags; /* the same bits as MEMORY_ACCESS: 1 read, 2 write */
  for (uint64_t next = address; next < address + bytes;) {
    struct span *mapping = spans_at(memory_mappings(), next);
    CUresult result = memory_protect(mapping, access);
    if (result != CUDA_SUCCESS) {
      return result;
    }
    next = mapping->start + mapping->bytes;
  }
  return CUDA_SUCCESS;
}

static CUresult get_access(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address) {
  struct span *mapping = spans_at(memory_mappings(), address);
  if (flags == NULL || location == NULL || location->type != CU_MEM_LOCATION_TYPE_DEVICE || mapping == NULL ||
      mapping->page == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (location->id != 0) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  *flags = mapping->flags & MEMORY_ACCESS; /* the same bits as the driver's: 1 read, 2 write */
  return CUDA_SUCCESS;
}

static CUresult granularity(size_t *bytes, const CUmemAllocationProp *prop, int option) {
  CUresult result = check_location(prop);
  if (result != CUDA_SUCCESS) {
    return result;
  }
  if (bytes == NULL || option < 0 || option > 1) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *bytes = physical_granularity();
  return CUDA_SUCCESS;
}

/* Call after memory_reset, when nothing is mapped. */
void virtual_reset(void) {
  handles_close_all(HANDLE_PAGE);
  spans_clear(&reservations);
  spans_clear(&addresses.spans);
}

/* According to the documentation of the driver, none of these needs a context. */

DRIVER_EXPORT CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr hint,
                                           unsigned long long flags) {
  (void)hint; /* always the lowest address */
  DRIVER_CALL(NEEDS_INIT, reserve(address, bytes, alignment, flags));
}

DRIVER_EXPORT CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  DRIVER_CALL(NEEDS_INIT, free_reservation(address, bytes));
}

DRIVER_EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
                                   unsigned long long flags) {
  DRIVER_CALL(NEEDS_INIT, create(handle, bytes, prop, flags));
}

DRIVER_EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle) { DRIVER_CALL(NEEDS_INIT, release(handle)); }

DRIVER_EXPORT CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  DRIVER_CALL(NEEDS_INIT, retain(handle, (uint64_t)address));
}

DRIVER_EXPORT CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                                unsigned long long flags) {
  DRIVER_CALL(NEEDS_INIT, map(address, bytes, offset, handle, flags));
}

DRIVER_EXPORT CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) { DRIVER_CALL(NEEDS_INIT, unmap(address, bytes)); }

DRIVER_EXPORT CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *descs, size_t count) {
  DRIVER_CALL(NEEDS_INIT, set_access(address, bytes, descs, count));
}

DRIVER_EXPORT CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address) {
  DRIVER_CALL(NEEDS_INIT, get_access(flags, location, address));
}

DRIVER_EXPORT CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop, int option) {
  DRIVER_CALL(NEEDS_INIT, granularity(bytes, prop, option));
}
