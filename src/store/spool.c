/* Spool: a temporary file without a name. Knows nothing of what is kept in it. */
#include "store/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *spool_directory(void)
{
	const char *dir = getenv("TMPDIR");
	return dir && *dir ? dir : "/tmp";
}

static int spool_failed(struct error *err, const char *what)
{
	return error_set(err, ERROR_STORE, "store-failed",
		"cannot %s a temporary file in '%s': %s; make room there or set TMPDIR to another "
		"directory",
		what, spool_directory(), strerror(errno));
}

/* For file systems that do not know O_TMPFILE. */
static int open_named(const char *dir)
{
	char path[4096];
	int n = snprintf(path, sizeof path, "%s/loadverdict-XXXXXX", dir);
	if (n < 0 || (size_t)n >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int spool_open(struct spool *sp, struct error *err)
{
	const char *dir = spool_directory();
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (fd < 0)
		fd = open_named(dir);
	if (fd < 0)
		return spool_failed(err, "create");
	*sp = (struct spool){.fd = fd};
	return 0;
}

void spool_close(struct spool *sp)
{
	if (sp->fd >= 0)
		close(sp->fd);
	sp->fd = -1;
}

int spool_append(struct spool *sp, const void *bytes, size_t n, int64_t *at, struct error *err)
{
	const char *p = bytes;
	for (size_t done = 0; done < n;) {
		ssize_t w = pwrite(sp->fd, p + done, n - done, sp->end + (int64_t)done);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return spool_failed(err, "write");
		done += (size_t)w;
	}
	*at = sp->end;
	sp->end += (int64_t)n;
	return 0;
}

int spool_read(const struct spool *sp, int64_t at, void *bytes, size_t n, struct error *err)
{
	char *p = bytes;
	for (size_t done = 0; done < n;) {
		ssize_t r = pread(sp->fd, p + done, n - done, at + (int64_t)done);
		if (r < 0 && errno == EINTR)
			continue;
		if (!r)
			errno = EIO; /* somebody cut the file */
		if (r <= 0)
			return spool_failed(err, "read");
		done += (size_t)r;
	}
	return 0;
}
