/* Access: who asks: secrets read once, and the request headers made from them. Zeroed at the end.
 */
#ifndef LV_SOURCE_ACCESS_H
#define LV_SOURCE_ACCESS_H

#include <curl/curl.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "source/request.h"

struct access {
	struct curl_slist *headers;
	char *user, *password;	  /* for basic auth; NULL */
	ARRAY_OF(char *) secrets; /* every text that must not be repeated */
};

/* ERROR_USAGE "secret-missing" names the variable or file; "usage" a header that cannot be sent. */
int access_open(struct access *a, const struct source_spec *spec, const struct url_parts *url,
	struct error *err) LV_CHECKED;
void access_close(struct access *a);
/* Replaces every secret in the text by stars: a server may repeat what it was sent. */
void access_scrub(const struct access *a, char *text);

#endif
