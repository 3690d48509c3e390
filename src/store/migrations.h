/* Migrations: the schema of the database, step by step. */
#ifndef LV_STORE_MIGRATIONS_H
#define LV_STORE_MIGRATIONS_H

#include <stddef.h>

#define STORE_APPLICATION_ID 0x6c767264 /* "lvrd" */

/* What leads from version i to i + 1; their number is this program's version of the schema. */
extern const char *const migrations[];
extern const int n_migrations;

#endif
