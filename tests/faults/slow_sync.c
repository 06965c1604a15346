/* A disk that takes its time: fsync and fdatasync sleep for SLOW_SYNC_MS, and say so in the file
   SLOW_SYNC_LOG, one character each. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void take_time(void) {
  const char *log = getenv("SLOW_SYNC_LOG");
  const char *ms = getenv("SLOW_SYNC_MS");
  long wait = ms ? atol(ms) : 0;
  struct timespec rest = {wait / 1000, (wait % 1000) * 1000000L};
  int file = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (file >= 0) {
    if (write(file, ".", 1) < 0) { /* it only counts */ }
    close(file);
  }
  while (nanosleep(&rest, &rest) != 0) { /* a signal came */ }
}

int fsync(int file) {
  take_time();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  take_time();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
