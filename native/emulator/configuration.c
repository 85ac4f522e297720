#include "configuration.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physical.h"
#include "streams.h"

enum { MAX_PROCESSES = 64 };

/* The value set by a control, else that of the environment, else the default. */
struct setting {
  const char *variable;
  uint64_t default_value;
  uint64_t value;
  bool is_set;
};

static struct setting capacity = {"VRAMSCOPE_EMULATOR_BYTES", 16ull << 30, 0, false};
static struct setting granularity = {"VRAMSCOPE_EMULATOR_GRANULARITY", 2ull << 20, 0, false};
static struct setting external = {"VRAMSCOPE_EMULATOR_EXTERNAL", 0, 0, false};
static struct setting manual = {"VRAMSCOPE_EMULATOR_MANUAL", 0, 0, false};
static struct setting version = {"VRAMSCOPE_EMULATOR_VERSION", 13000, 0, false};

static const char PROCESSES[] = "VRAMSCOPE_EMULATOR_PROCESSES";
static struct process processes[MAX_PROCESSES];
static int process_count;
static bool processes_are_set;

static void set(struct setting *setting, uint64_t value) {
  setting->value = value;
  setting->is_set = true;
}

static CUresult reject(const char *variable, const char *text, const char *expected) {
  fprintf(stderr, "vramscope's emulated driver: %s=%s is not %s\n", variable, text, expected);
  return CUDA_ERROR_INVALID_VALUE;
}

/* Parses digits up to the end character. */
static bool read_number(const char *text, char end, uint64_t *value, const char **rest) {
  char *after;
  errno = 0;
  *value = strtoull(text, &after, 10);
  *rest = after;
  return text[0] >= '0' && text[0] <= '9' && errno == 0 && (*after == end || *after == '\0');
}

static CUresult from_environment(struct setting *setting) {
  const char *text = getenv(setting->variable);
  if (setting->is_set) {
    return CUDA_SUCCESS;
  }
  setting->value = setting->default_value;
  if (text == NULL || *text == '\0') {
    return CUDA_SUCCESS;
  }
  const char *rest;
  return read_number(text, '\0', &setting->value, &rest)
             ? CUDA_SUCCESS
             : reject(setting->variable, text, "a number (digits only)");
}

/* self:BYTES,PID:BYTES,... */
static CUresult processes_from_environment(void) {
  const char *text = getenv(PROCESSES);
  if (processes_are_set || text == NULL) {
    return CUDA_SUCCESS;
  }
  process_count = 0;
  for (const char *next = text; *next != '\0';) {
    struct process process = {0};
    uint64_t pid = 0;
    bool readable = true;
    if (strncmp(next, "self:", 5) == 0) {
      next += 4;
    } else {
      readable = read_number(next, ':', &pid, &next);
      process.pid = (int64_t)pid;
    }
    readable = readable && *next == ':' && read_number(next + 1, ',', &process.bytes, &next);
    if (!readable || process_count == MAX_PROCESSES) {
      return reject(PROCESSES, text, "a list of at most 64 like self:1024,4711:2048");
    }
    processes[process_count++] = process;
    next += *next == ',';
  }
  return CUDA_SUCCESS;
}

CUresult configuration_set(uint64_t capacity_bytes, uint64_t granularity_bytes) {
  if (capacity_bytes == 0 || capacity_bytes > 1ull << 44 || !physical_is_granularity(granularity_bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  set(&capacity, capacity_bytes);
  set(&granularity, granularity_bytes);
  return CUDA_SUCCESS;
}

CUresult configuration_apply(void) {
  struct setting *settings[] = {&capacity, &granularity, &external, &manual};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    CUresult result = from_environment(settings[i]);
    if (result != CUDA_SUCCESS) {
      return result;
    }
  }
  if (capacity.value == 0 || capacity.value > 1ull << 44) {
    return reject(capacity.variable, getenv(capacity.variable), "between 1 and 2^44");
  }
  if (!physical_is_granularity(granularity.value)) {
    return reject(granularity.variable, getenv(granularity.variable), "a power of two between 4096 and 2^40");
  }
  if (manual.value > 1) {
    return reject(manual.variable, getenv(manual.variable), "0 or 1");
  }
  physical_configure(capacity.value, granularity.value, external.value);
  streams_set_manual(manual.value == 1);
  return processes_from_environment();
}

CUresult configuration_version(int *number) {
  if (number == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult result = from_environment(&version);
  *number = (int)version.value;
  return result;
}

void configuration_set_external(uint64_t bytes) {
  set(&external, bytes);
  physical_set_external(bytes);
}

void configuration_set_manual(bool is_manual) {
  set(&manual, is_manual);
  streams_set_manual(is_manual);
}

bool configuration_add_process(struct process process) {
  if (process_count == MAX_PROCESSES) {
    return false;
  }
  processes[process_count++] = process;
  processes_are_set = true;
  return true;
}

void configuration_clear_processes(void) {
  process_count = 0;
  processes_are_set = true;
}

const struct process *configuration_processes(int *count) {
  *count = process_count;
  return processes;
}

void configuration_reset(void) {
  capacity.is_set = granularity.is_set = external.is_set = manual.is_set = false;
  process_count = 0;
  processes_are_set = false;
}
