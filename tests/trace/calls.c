// The program of the tracer's tests: calls COMMAND [ARGUMENTS], in a folder of its own.
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// Names that headers hide, and that fortified programs and some libraries call.
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __read(int, void *, size_t);
ssize_t __write(int, const void *, size_t);
ssize_t __pread64(int, void *, size_t, off64_t);
ssize_t __pwrite64(int, const void *, size_t, off64_t);
int __open(const char *, int, ...);
int __open64(const char *, int, ...);
int __close(int);

static char data[1000];

#define CHECK(what)                                                                   \
  do {                                                                                \
    if (!(what)) {                                                                    \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #what, strerror(errno)); \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)
#define MOVES(bytes, call) CHECK((call) == (bytes))

static int must_open(const char *path, int flags) {
  const int file = open(path, flags, 0600);
  CHECK(file >= 0);
  return file;
}

static void every_opening(void) {
  const int here = open(".", O_RDONLY | O_DIRECTORY);
  CHECK(here >= 0);
  const int opened[] = {open("data", O_RDWR | O_CREAT, 0600),
                        open64("data", O_RDWR | O_CREAT, 0600),
                        __open("data", O_RDONLY),
                        __open64("data", O_RDONLY),
                        openat(here, "data", O_RDONLY),
                        openat64(AT_FDCWD, "data", O_RDONLY),
                        creat("data", 0600),
                        creat64("data", 0600),
                        __open_2("data", O_RDONLY),
                        __open64_2("data", O_RDONLY),
                        __openat_2(here, "data", O_RDONLY),
                        __openat64_2(here, "./data", O_RDONLY)};
  for (size_t i = 0; i < sizeof opened / sizeof *opened; ++i) {
    CHECK(opened[i] >= 0);
    CHECK((i % 2 == 0 ? close(opened[i]) : __close(opened[i])) == 0);
  }
  CHECK(open("absent", O_RDONLY) == -1 && errno == ENOENT);
  CHECK(openat(here, "no/such", O_RDONLY) == -1 && errno == ENOENT);
  CHECK(close(here) == 0);
}

static void every_write(int file) {
  const struct iovec parts[] = {{data, 10}, {data, 20}};
  MOVES(1000, write(file, data, 1000));
  MOVES(11, __write(file, data, 11));
  MOVES(12, pwrite(file, data, 12, 100));
  MOVES(13, pwrite64(file, data, 13, 200));
  MOVES(14, __pwrite64(file, data, 14, 300));
  MOVES(30, writev(file, parts, 2));
  MOVES(30, pwritev(file, parts, 2, 400));
  MOVES(30, pwritev64(file, parts, 2, 500));
  MOVES(30, pwritev2(file, parts, 2, 600, 0));
  MOVES(30, pwritev64v2(file, parts, 2, -1, 0));
  MOVES(-1, pwrite(file, data, 10, -5));
}

static void every_read(int file) {
  char room[1000];
  const struct iovec parts[] = {{room, 10}, {room, 20}};
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  MOVES(100, read(file, room, 100));
  MOVES(11, __read(file, room, 11));
  MOVES(12, __read_chk(file, room, 12, sizeof room));
  MOVES(13, pread(file, room, 13, 100));
  MOVES(14, pread64(file, room, 14, 200));
  MOVES(15, __pread64(file, room, 15, 300));
  MOVES(16, __pread_chk(file, room, 16, 300, sizeof room));
  MOVES(17, __pread64_chk(file, room, 17, 300, sizeof room));
  MOVES(30, readv(file, parts, 2));
  MOVES(30, preadv(file, parts, 2, 400));
  MOVES(30, preadv64(file, parts, 2, 500));
  MOVES(30, preadv2(file, parts, 2, 600, 0));
  MOVES(30, preadv64v2(file, parts, 2, -1, 0));
  CHECK(lseek64(file, 0, SEEK_END) > 0);
  MOVES(0, read(file, room, 10));
}

static void every_change(int file) {
  CHECK(fsync(file) == 0);
  CHECK(fdatasync(file) == 0);
  CHECK(ftruncate(file, 5000) == 0);
  CHECK(ftruncate64(file, 6000) == 0);
  CHECK(posix_fallocate(file, 0, 7000) == 0);
  CHECK(posix_fallocate64(file, 0, 7000) == 0);
  CHECK(fallocate(file, 0, 0, 8000) == 0);
  CHECK(fallocate64(file, 0, 0, 8000) == 0);
  const int other = must_open("copy", O_RDWR | O_CREAT | O_TRUNC);
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  MOVES(50, copy_file_range(file, NULL, other, NULL, 50, 0));
  MOVES(60, sendfile(other, file, NULL, 60));
  MOVES(70, sendfile64(other, file, NULL, 70));
  CHECK(close(other) == 0);
  CHECK(rename("copy", "copy2") == 0);
  CHECK(renameat(AT_FDCWD, "copy2", AT_FDCWD, "copy3") == 0);
  CHECK(renameat2(AT_FDCWD, "copy3", AT_FDCWD, "copy4", 0) == 0);
  CHECK(rename("copy", "copy5") == -1);
}

static void every_request(int file) {
  struct aiocb request = {.aio_fildes = file, .aio_buf = data, .aio_nbytes = 21, .aio_offset = 700};
  const struct aiocb *const all[] = {&request};
  CHECK(aio_write(&request) == 0 && aio_suspend(all, 1, NULL) == 0 && aio_return(&request) == 21);
  request.aio_nbytes = 22;
  CHECK(aio_read(&request) == 0 && aio_suspend(all, 1, NULL) == 0 && aio_return(&request) == 22);
}

static void variants(void) {
  every_opening();
  const int file = must_open("data", O_RDWR | O_CREAT | O_TRUNC);
  every_write(file);
  every_read(file);
  every_request(file);
  every_change(file);
  CHECK(close(file) == 0);
  CHECK(close(file) == -1);
}

// Descriptors that mean others, and that were closed by others.
static void descriptors(void) {
  const int a = must_open("a", O_RDWR | O_CREAT | O_TRUNC);
  MOVES(10, write(a, data, 10));
  const int copies[] = {dup(a), dup2(a, 100), dup3(a, 101, O_CLOEXEC), fcntl(a, F_DUPFD, 110)};
  for (int i = 0; i < 4; ++i) MOVES(10, write(copies[i], data, 10));  // offsets 10, 20, 30, 40
  const int appended = must_open("a", O_WRONLY | O_APPEND);
  MOVES(5, write(appended, data, 5));
  const int b = must_open("b", O_RDWR | O_CREAT | O_TRUNC);
  CHECK(dup2(b, a) == a);
  MOVES(7, write(a, data, 7));  // to b
  FILE *const stream = fdopen(b, "w");
  CHECK(stream != NULL && fclose(stream) == 0);
  CHECK(fopen("absent", "r") == NULL);
  int ends[2];
  CHECK(pipe(ends) == 0);  // the number of b
  MOVES(3, write(ends[0] == b ? ends[1] : b, data, 3));
  MOVES(3, read(ends[0], data, 3));
  CHECK(close_range(90, 120, 0) == 0);
  CHECK(close(a) == 0 && close(copies[0]) == 0 && close(appended) == 0);
  char name[] = "made-XXXXXX";  // opened by the C library
  const int made = mkstemp(name);
  MOVES(9, write(made, data, 9));
  CHECK(close(made) == 0 && unlink(name) == 0);
}

static void *thread(void *name) {
  const int file = must_open(name, O_WRONLY | O_CREAT);
  for (int i = 0; i < 100; ++i) MOVES(10, write(file, data, 10));
  CHECK(close(file) == 0);
  return NULL;
}

static void threads(void) {
  pthread_t all[4];
  static char names[4][8];
  for (int i = 0; i < 4; ++i) {
    snprintf(names[i], sizeof names[i], "t%d", i);
    CHECK(pthread_create(&all[i], NULL, thread, names[i]) == 0);
  }
  for (int i = 0; i < 4; ++i) CHECK(pthread_join(all[i], NULL) == 0);
}

static void must_end(pid_t child) {
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// A child that goes on with its parent's file, and one that runs this program anew.
static void forks(const char *self) {
  const int file = must_open("parent", O_WRONLY | O_CREAT);
  MOVES(10, write(file, data, 10));
  pid_t child = fork();
  if (child == 0) {
    MOVES(20, write(file, data, 20));
    _exit(0);
  }
  must_end(child);
  MOVES(30, write(file, data, 30));
  child = fork();
  if (child == 0) {
    thread("before");
    execl(self, self, "loop", "5", (char *)NULL);
    _exit(1);
  }
  must_end(child);
  CHECK(close(file) == 0);
}

// The child works in its parent's memory, with its own descriptors.
static void vforks(const char *self) {
  const int file = must_open("parent", O_WRONLY | O_CREAT);
  const int other = must_open("other", O_WRONLY | O_CREAT);
  MOVES(10, write(file, data, 10));
  const pid_t child = vfork();
  if (child == 0) {
    dup2(other, file);
    close(other);
    execl(self, self, "loop", "5", (char *)NULL);
    _exit(1);
  }
  must_end(child);
  MOVES(30, write(file, data, 30));
  MOVES(40, write(other, data, 40));
  CHECK(close(file) == 0 && close(other) == 0);
}

static void loop(int times) {
  const int file = must_open("loop", O_RDWR | O_CREAT);
  for (int i = 0; i < times; ++i) {
    MOVES(100, pwrite(file, data, 100, i));
    MOVES(100, pread(file, data, 100, i));
    CHECK(lseek(file, 0, SEEK_SET) == 0);
    MOVES(100, write(file, data, 100));
    CHECK(close(dup(file)) == 0);
  }
  CHECK(close(file) == 0);
}

int main(int argc, char **argv) {
  const char *const command = argc > 1 ? argv[1] : "";
  if (strcmp(command, "variants") == 0)
    variants();
  else if (strcmp(command, "descriptors") == 0)
    descriptors();
  else if (strcmp(command, "threads") == 0)
    threads();
  else if (strcmp(command, "forks") == 0)
    forks(argv[0]);
  else if (strcmp(command, "vforks") == 0)
    vforks(argv[0]);
  else if (strcmp(command, "loop") == 0)
    loop(atoi(argv[2]));
  else
    return 2;
  return 0;
}
