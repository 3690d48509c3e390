/* Store: opening and closing the database file: directory, schema, journal, and bundles, which are
 * written beside and renamed. Knows the schema's version, not its tables. */
#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "store/migrations.h"

static int failed(struct store *s, const char *doing, struct error *err)
{
	return error_set(err, ERROR_STORE, "store-failed",
		"cannot %s '%s': %s; check the path and its permissions, or use another file",
		doing, s->path, strerror(errno));
}

static void store_free(struct store *s)
{
	/* every statement was finalized: each function ends its own */
	sqlite3_close_v2(s->db);
	arena_release(&s->texts);
	free(s->path);
	free(s->written_path);
	free(s);
}

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return xstrdup(".");
	char *dir = xstrdup(path);
	dir[slash == path ? 1 : slash - path] = '\0';
	return dir;
}

/* Directories that are missing are made for the user alone: runs may be sensitive. */
static int make_directory(struct store *s, struct error *err)
{
	char *dir = directory_of(s->path);
	int rc = 0;
	for (char *p = dir + 1; !rc && *dir; p++) {
		if (*p != '/' && *p)
			continue;
		char kept = *p;
		*p = '\0';
		if (mkdir(dir, 0700) && errno != EEXIST && access(dir, F_OK))
			rc = failed(s, "make the directory of", err);
		*p = kept;
		if (!kept)
			break;
	}
	free(dir);
	return rc;
}

/* Opening */

static int configure(struct store *s, struct error *err)
{
	sqlite3_extended_result_codes(s->db, 1);
	sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
	/* a file from elsewhere must not run anything */
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, 128 << 20);
	sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
	return db_exec(s,
		s->mode == STORE_READ ? "PRAGMA cell_size_check = ON; PRAGMA query_only = ON"
				      : "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON;"
					"PRAGMA synchronous = FULL",
		err);
}

static int open_database(struct store *s, const char *name, int flags, struct error *err)
{
	/* "", ":memory:" and "file:..." are no files to SQLite */
	bool plain = *name == '/' || flags & SQLITE_OPEN_URI;
	char *file = plain ? NULL : arena_printf(&s->texts, "./%s", name);
	if (sqlite3_open_v2(file ? file : name, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) !=
		SQLITE_OK) {
		if (!s->db)
			error_out_of_memory();
		return db_failed(s, "opening", err);
	}
	return configure(s, err);
}

static int read_versions(struct store *s, int64_t *application, int64_t *version, struct error *err)
{
	return db_get_int(s, application, 0, err, "PRAGMA application_id", "") ||
			       db_get_int(s, version, 0, err, "PRAGMA user_version", "")
		       ? -1
		       : 0;
}

/* Whose file it is, and of which version. */
static int check_versions(struct store *s, int64_t application, int64_t version, struct error *err)
{
	if (application != STORE_APPLICATION_ID)
		return error_set(err, ERROR_STORE, "store-failed",
			"'%s' is no database of loadverdict; use another file with --db", s->path);
	if (version > n_migrations)
		return error_set(err, ERROR_STORE, "store-too-new",
			"'%s' was written by a newer loadverdict (schema %lld, this one knows %d); "
			"install that version, or use another file with --db",
			s->path, (long long)version, n_migrations);
	return 0;
}

static int apply_migrations(struct store *s, struct error *err)
{
	int64_t application, version, tables;
	if (read_versions(s, &application, &version, err) ||
		db_get_int(s, &tables, 0, err, "SELECT count(*) FROM sqlite_schema", ""))
		return -1;
	bool fresh = !application && !version && !tables;
	if (!fresh && check_versions(s, application, version, err))
		return -1;
	for (int64_t v = version < 0 ? 0 : version; v < n_migrations; v++)
		if (db_exec(s, migrations[v], err))
			return -1;
	char sql[128];
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		STORE_APPLICATION_ID, n_migrations);
	return db_exec(s, sql, err);
}

static int migrate(struct store *s, struct error *err)
{
	int64_t application, version;
	if (read_versions(s, &application, &version, err))
		return -1;
	if (application == STORE_APPLICATION_ID && version == n_migrations)
		return 0;
	/* only before the first table: pages of removed runs can then be given back */
	if (db_exec(s, "PRAGMA auto_vacuum = INCREMENTAL", err) || db_begin(s, err))
		return -1;
	/* another process may have been faster: look again inside of the transaction */
	return db_end(s, apply_migrations(s, err), err);
}

/* WAL needs memory shared between processes; network file systems have none between machines. */
static bool on_network(const char *path)
{
	struct statfs fs;
	if (statfs(path, &fs))
		return false;
	switch ((unsigned long)fs.f_type) {
	case 0x6969:	 /* NFS */
	case 0x517B:	 /* SMB */
	case 0xFF534D42: /* CIFS */
	case 0xFE534D42: /* SMB2 */
	case 0x01021997: /* 9p */
		return true;
	}
	return false;
}

/* Whatever SQLite answers is usable: where WAL cannot be had, the rollback journal stays. Changing
 * the mode does not wait for other processes by itself. */
static int choose_journal(struct store *s, struct error *err)
{
	const char *sql =
		on_network(s->path) ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL";
	for (int waited = 0;; waited += 10) {
		int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
		if (rc == SQLITE_OK)
			return 0;
		if ((rc & 0xff) != SQLITE_BUSY || waited >= STORE_BUSY_MS)
			return db_failed(s, "opening", err);
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
}

static int open_for_writing(struct store *s, struct error *err)
{
	if (make_directory(s, err) ||
		open_database(s, s->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) ||
		migrate(s, err))
		return -1;
	return choose_journal(s, err);
}

/* A database in WAL mode cannot be read from a directory that is read-only, except when nothing is
 * in its log: then the file alone is whole. */
static int reopen_immutable(struct store *s, struct error *err)
{
	struct strbuf uri = STRBUF_INIT;
	strbuf_addf(&uri, "%s-wal", s->path);
	struct stat st;
	bool whole = stat(uri.at, &st) || !st.st_size;
	strbuf_clear(&uri);
	strbuf_adds(&uri, "file:");
	for (const char *p = s->path; *p; p++) {
		bool plain = strchr("/-._~", *p) || (*p >= '0' && *p <= '9') ||
			     (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
		strbuf_addf(&uri, plain ? "%c" : "%%%02X", (unsigned char)*p);
	}
	strbuf_adds(&uri, "?immutable=1");
	int rc = -1;
	if (whole) {
		sqlite3_close_v2(s->db);
		s->db = NULL;
		rc = open_database(s, uri.at, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
	}
	strbuf_release(&uri);
	return rc;
}

static int open_for_reading(struct store *s, struct error *err)
{
	struct stat st;
	if (stat(s->path, &st)) {
		if (errno != ENOENT)
			return failed(s, "open", err);
		return error_set(err, ERROR_STORE, "store-failed",
			"there is no database '%s' yet; `loadverdict evaluate` makes it, or name "
			"another one with --db",
			s->path);
	}
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERROR_STORE, "store-failed",
			"'%s' is not a file; name a database with --db", s->path);
	/* read-write where allowed, so that what a crash left in the journal can be undone; SQLite
	 * falls back to read-only by itself, and query_only holds in both cases */
	int64_t application, version;
	if (open_database(s, s->path, SQLITE_OPEN_READWRITE, err) ||
		read_versions(s, &application, &version, err)) {
		int code = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_ERROR;
		if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) ||
			reopen_immutable(s, err) || read_versions(s, &application, &version, err))
			return -1;
		if (err)
			*err = (struct error){0};
	}
	if (check_versions(s, application, version, err))
		return -1;
	if (version < n_migrations)
		return error_set(err, ERROR_STORE, "store-failed",
			"'%s' was written by an older loadverdict; a command that stores something "
			"(like `loadverdict evaluate`) brings it up to date",
			s->path);
	return 0;
}

/* Bundles */

static int read_header(const char *path, unsigned char header[100])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -1;
	ssize_t n = pread(fd, header, 100, 0);
	close(fd);
	return n == 100 ? 0 : -1;
}

bool store_is_bundle(const char *path)
{
	unsigned char h[100];
	if (read_header(path, h) || memcmp(h, "SQLite format 3", 16))
		return false;
	uint32_t id = (uint32_t)h[68] << 24 | (uint32_t)h[69] << 16 | (uint32_t)h[70] << 8 | h[71];
	return id == STORE_APPLICATION_ID;
}

/* A store in use has WAL in its header; replacing it would lose every run in it. */
static bool is_live_store(const char *path)
{
	unsigned char h[100];
	return store_is_bundle(path) && !read_header(path, h) && h[18] == 2;
}

static int open_bundle(struct store *s, struct error *err)
{
	if (is_live_store(s->path))
		return error_set(err, ERROR_STORE, "store-failed",
			"'%s' is a database with runs, not a bundle; name another file", s->path);
	struct strbuf beside = STRBUF_INIT;
	strbuf_addf(&beside, "%s.tmp-%ld", s->path, (long)getpid());
	s->written_path = xstrdup(beside.at);
	strbuf_release(&beside);
	unlink(s->written_path); /* left by a dead process that had our number */
	int fd = open(s->written_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return failed(s, "write", err);
	close(fd);
	/* nobody else sees the file before it is whole: no journal on disk, one sync at the end */
	if (open_database(s, s->written_path, SQLITE_OPEN_READWRITE, err) ||
		db_exec(s, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", err))
		return -1;
	return migrate(s, err);
}

static int sync_path(struct store *s, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return failed(s, "write", err);
	/* some file systems know no fsync of directories: EINVAL */
	int rc = fsync(fd) && errno != EINVAL ? failed(s, "write", err) : 0;
	close(fd);
	return rc;
}

static int put_in_place(struct store *s, struct error *err)
{
	if (sync_path(s, s->written_path, err))
		return -1;
	if (rename(s->written_path, s->path))
		return failed(s, "write", err);
	char *dir = directory_of(s->path);
	int rc = sync_path(s, dir, err);
	free(dir);
	return rc;
}

/* Public */

int store_open(const char *path, enum store_mode mode, struct store **out, struct error *err)
{
	struct store *s = xmalloc(sizeof *s);
	*s = (struct store){.mode = mode, .path = xstrdup(path)};
	int rc = mode == STORE_READ    ? open_for_reading(s, err)
		 : mode == STORE_WRITE ? open_for_writing(s, err)
				       : open_bundle(s, err);
	if (rc) {
		store_discard(s);
		return -1;
	}
	*out = s;
	return 0;
}

int store_close(struct store *s, struct error *err)
{
	if (!s)
		return 0;
	int rc = 0;
	if (s->written_path) {
		sqlite3_close_v2(s->db);
		s->db = NULL;
		rc = put_in_place(s, err);
		if (rc)
			unlink(s->written_path);
	}
	store_free(s);
	return rc;
}

void store_discard(struct store *s)
{
	if (!s)
		return;
	if (s->written_path)
		unlink(s->written_path);
	store_free(s);
}
