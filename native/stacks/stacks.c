#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "methods.h"
#include "vramscope.h"

/*
 * AsyncGetCallTrace is what profilers use from signal handlers. It is in no header, but its form has not
 * changed since JDK 5. Two things it asks for, both prepared here: that somebody listens to class loads,
 * and that every method has its number before the walk, because a walk cannot make one.
 */
struct call_trace {
  JNIEnv *env;
  jint count;
  struct vramscope_frame *frames; /* {jint bci; jmethodID method}, which is the same in memory */
};
_Static_assert(sizeof(struct vramscope_frame) == 16, "the layout of AsyncGetCallTrace");
_Static_assert(sizeof(jmethodID) == sizeof(uint64_t), "a method's number");

typedef void async_get_call_trace(struct call_trace *trace, jint depth, void *ucontext);

enum { DEEPEST = 4096, MAX_SLOW_FRAMES = 512 };

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int state = VRAMSCOPE_STACKS_NOT_STARTED;
static JavaVM *vm;
static jvmtiEnv *jvmti;
static async_get_call_trace *fast_walk;

static void number_methods(jvmtiEnv *env, jclass type) {
  jint count;
  jmethodID *methods;
  /* Fails for a class that is not prepared yet; its event comes later. */
  if ((*env)->GetClassMethods(env, type, &count, &methods) == JVMTI_ERROR_NONE) {
    methods_add((const uint64_t *)methods, count);
    (*env)->Deallocate(env, (unsigned char *)methods);
  }
}

static void JNICALL on_class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass type) {
  (void)env, (void)jni, (void)thread, (void)type; /* only listened to */
}

static void JNICALL on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass type) {
  (void)jni, (void)thread;
  number_methods(env, type);
}

static bool listen(void) {
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_get_line_numbers = 1;
  wanted.can_get_source_file_name = 1;
  (*jvmti)->AddCapabilities(jvmti, &wanted); /* without them: no lines, no files */
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.ClassLoad = on_class_load;
  callbacks.ClassPrepare = on_class_prepare;
  return (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
         (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL) == JVMTI_ERROR_NONE &&
         (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL) == JVMTI_ERROR_NONE;
}

static void number_loaded_classes(JNIEnv *env) {
  jint count;
  jclass *classes;
  if ((*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE) {
    return;
  }
  for (jint i = 0; i < count; i++) {
    number_methods(jvmti, classes[i]);
    (*env)->DeleteLocalRef(env, classes[i]);
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
}

static JNIEnv *this_thread(void) {
  void *env = NULL;
  return (*vm)->GetEnv(vm, &env, JNI_VERSION_10) == JNI_OK ? env : NULL;
}

static int start(void) {
  /* Found by name, so that this library loads, and says no, in a program without a JVM. */
  typedef jint get_created(JavaVM **vms, jsize capacity, jsize *count);
  get_created *get_created_vms = (get_created *)dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
  void *library = NULL;
  if (get_created_vms == NULL) {
    library = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD); /* the launcher keeps it to itself */
    get_created_vms = library == NULL ? NULL : (get_created *)dlsym(library, "JNI_GetCreatedJavaVMs");
  }
  jsize count = 0;
  void *env = NULL;
  if (get_created_vms == NULL || get_created_vms(&vm, 1, &count) != JNI_OK || count == 0 || this_thread() == NULL ||
      (*vm)->GetEnv(vm, &env, JVMTI_VERSION_11) != JNI_OK) {
    return VRAMSCOPE_STACKS_NO_VM;
  }
  jvmti = env;
  if (!listen()) {
    (*jvmti)->DisposeEnvironment(jvmti);
    return VRAMSCOPE_STACKS_NO_VM;
  }
  number_loaded_classes(this_thread());
  fast_walk = (async_get_call_trace *)dlsym(library == NULL ? RTLD_DEFAULT : library, "AsyncGetCallTrace");
  return fast_walk == NULL ? VRAMSCOPE_STACKS_SLOW : VRAMSCOPE_STACKS_FAST;
}

__attribute__((visibility("default"))) int vramscope_stacks_start(void) {
  pthread_mutex_lock(&starting);
  if (state < 0) {
    state = start();
  }
  int result = state;
  pthread_mutex_unlock(&starting);
  return result;
}

static int walk_fast(JNIEnv *env, struct vramscope_frame *frames, int capacity) {
  struct call_trace trace = {env, 0, frames};
  fast_walk(&trace, capacity, NULL); /* no registers needed: this thread is in native code */
  return trace.count > 0 ? trace.count : VRAMSCOPE_STACKS_NO_STACK;
}

static int walk_slowly(struct vramscope_frame *frames, int capacity) {
  jvmtiFrameInfo found[MAX_SLOW_FRAMES];
  jint count = 0;
  jint depth = capacity < MAX_SLOW_FRAMES ? capacity : MAX_SLOW_FRAMES;
  if ((*jvmti)->GetStackTrace(jvmti, NULL, 0, depth, found, &count) != JVMTI_ERROR_NONE || count == 0) {
    return VRAMSCOPE_STACKS_NO_STACK;
  }
  for (jint i = 0; i < count; i++) {
    frames[i] = (struct vramscope_frame){.bci = (int32_t)found[i].location, .method = (uint64_t)found[i].method};
  }
  return count;
}

__attribute__((visibility("default"))) int vramscope_stacks_take(struct vramscope_frame *frames, int capacity) {
  int how = state;
  if (how < 0) {
    return how;
  }
  JNIEnv *env = this_thread();
  if (frames == NULL || capacity <= 0 || env == NULL) {
    return VRAMSCOPE_STACKS_NO_STACK;
  }
  int depth = capacity < DEEPEST ? capacity : DEEPEST;
  return how == VRAMSCOPE_STACKS_FAST ? walk_fast(env, frames, depth) : walk_slowly(frames, depth);
}

static jint line_at(jmethodID method, int32_t bci) {
  jint count, line = -1;
  jvmtiLineNumberEntry *lines;
  if (bci < 0 || (*jvmti)->GetLineNumberTable(jvmti, method, &count, &lines) != JVMTI_ERROR_NONE) {
    return -1;
  }
  jlocation closest = -1; /* the table need not be sorted */
  for (jint i = 0; i < count; i++) {
    if (lines[i].start_location <= bci && lines[i].start_location > closest) {
      closest = lines[i].start_location;
      line = lines[i].line_number;
    }
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)lines);
  return line;
}

/* "java.lang.String" for "Ljava/lang/String;", in place. */
static char *name_of_signature(char *signature) {
  for (char *next = signature; *next != '\0'; next++) {
    *next = *next == '/' ? '.' : *next == ';' ? '\0' : *next;
  }
  return signature[0] == 'L' ? signature + 1 : signature;
}

__attribute__((visibility("default"))) int vramscope_stacks_describe(uint64_t method, int32_t bci, char *text,
                                                                     int capacity) {
  if (state < 0) {
    return state;
  }
  JNIEnv *env = this_thread();
  if (env == NULL || text == NULL || capacity < 0) {
    return VRAMSCOPE_STACKS_NO_STACK;
  }
  jmethodID id = (jmethodID)method;
  jclass type = NULL;
  char *name = NULL, *signature = NULL, *file = NULL;
  /* The JVM itself says so when the class is gone. */
  int result = VRAMSCOPE_STACKS_UNKNOWN_METHOD;
  if (methods_contain(method) && (*jvmti)->GetMethodDeclaringClass(jvmti, id, &type) == JVMTI_ERROR_NONE &&
      (*jvmti)->GetMethodName(jvmti, id, &name, NULL, NULL) == JVMTI_ERROR_NONE &&
      (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) == JVMTI_ERROR_NONE) {
    (*jvmti)->GetSourceFileName(jvmti, type, &file);
    result = snprintf(text, (size_t)capacity, "%s\n%s\n%s\n%d", name_of_signature(signature), name,
                      file == NULL ? "" : file, line_at(id, bci));
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)file);
  if (type != NULL) {
    (*env)->DeleteLocalRef(env, type);
  }
  return result;
}
