/* Fails one call that changes a file below a folder: loaded into Python by LD_PRELOAD.

   fault_arm(folder, number, error, lasting): call `number` (from 1) fails with `error`; error 0
   kills the process instead. With `lasting`, later calls that need space fail, too: a full disk.
   Of a write that fails, half is written first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static long wanted, seen;
static int error_number, lasts;
static char struck[64];

void fault_arm(const char *where, long number, int error, int lasting) {
    snprintf(folder, sizeof folder, "%s", where);
    wanted = number, seen = 0, error_number = error, lasts = lasting, struck[0] = 0;
}
long fault_seen(void) { return seen; }
const char *fault_struck(void) { return struck; }

static int strikes(const char *call, const char *path, int needs_space) {
    if (!folder[0] || strncmp(path, folder, strlen(folder))) return 0;
    seen++;
    if (seen != wanted && !(lasts && seen > wanted && needs_space)) return 0;
    if (!struck[0]) snprintf(struck, sizeof struck, "%s", call);
    return 1;
}
static int fails(void) {
    if (!error_number) kill(getpid(), SIGKILL);
    errno = error_number;
    return -1;
}
static const char *of_fd(int fd, const char *name) {
    static __thread char path[PATH_MAX];
    char link[64];
    if (name && (name[0] == '/' || fd == AT_FDCWD)) return name;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    path[size < 0 ? 0 : size] = 0;
    if (name && size > 0) snprintf(path + size, sizeof path - size, "/%s", name);
    return path;
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name, signature, path, ...)                                                          \
    int name signature {                                                                          \
        va_list rest;                                                                             \
        va_start(rest, flags);                                                                    \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                   \
        va_end(rest);                                                                             \
        if (flags & (O_WRONLY | O_RDWR | O_CREAT) && strikes("open", path, flags & O_CREAT))      \
            return fails();                                                                       \
        return REAL(name)(__VA_ARGS__, flags, mode);                                              \
    }
OPEN(open, (const char *file, int flags, ...), file, file)
OPEN(open64, (const char *file, int flags, ...), file, file)
OPEN(openat, (int at, const char *file, int flags, ...), of_fd(at, file), at, file)
OPEN(openat64, (int at, const char *file, int flags, ...), of_fd(at, file), at, file)

#define CALL(type, name, signature, path, space, ...)                                             \
    type name signature {                                                                         \
        if (strikes(#name, path, space)) return fails();                                          \
        return REAL(name)(__VA_ARGS__);                                                           \
    }
CALL(int, mkdir, (const char *file, mode_t mode), file, 1, file, mode)
CALL(int, mkdirat, (int at, const char *file, mode_t mode), of_fd(at, file), 1, at, file, mode)
CALL(int, rename, (const char *old, const char *new), new, 0, old, new)
CALL(int, renameat, (int a, const char *old, int b, const char *new), of_fd(b, new), 0, a, old, b, new)
CALL(int, unlink, (const char *file), file, 0, file)
CALL(int, unlinkat, (int at, const char *file, int flags), of_fd(at, file), 0, at, file, flags)
CALL(int, rmdir, (const char *file), file, 0, file)
CALL(int, chmod, (const char *file, mode_t mode), file, 0, file, mode)
CALL(int, fchmod, (int fd, mode_t mode), of_fd(fd, 0), 0, fd, mode)
CALL(int, fsync, (int fd), of_fd(fd, 0), 1, fd)
CALL(int, fdatasync, (int fd), of_fd(fd, 0), 1, fd)
CALL(int, ftruncate, (int fd, off_t size), of_fd(fd, 0), 0, fd, size)
CALL(int, ftruncate64, (int fd, off64_t size), of_fd(fd, 0), 0, fd, size)

ssize_t write(int fd, const void *data, size_t size) {
    if (!folder[0] || !strikes("write", of_fd(fd, 0), 1)) return REAL(write)(fd, data, size);
    if (size > 1) REAL(write)(fd, data, size / 2);
    return fails();
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!folder[0] || !strikes("writev", of_fd(fd, 0), 1)) return REAL(writev)(fd, parts, count);
    if (count > 1) REAL(writev)(fd, parts, count / 2);
    return fails();
}
FILE *fopen64(const char *file, const char *mode) {
    if (mode[0] != 'r' && strikes("fopen", file, 1)) return fails(), NULL;
    return REAL(fopen64)(file, mode);
}
