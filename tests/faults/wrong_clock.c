/* A machine whose clock is set wrong, by WRONG_CLOCK_S seconds. Steady clocks are as ever. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long off(void) {
  const char *seconds = getenv("WRONG_CLOCK_S");
  return seconds ? atol(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = ((int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"))(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += off();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  typedef int (*real)(struct timeval *, void *);
  int failed = ((real)dlsym(RTLD_NEXT, "gettimeofday"))(now, zone);
  if (!failed) now->tv_sec += off();
  return failed;
}

time_t time(time_t *told) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (told) *told = now.tv_sec;
  return now.tv_sec;
}
