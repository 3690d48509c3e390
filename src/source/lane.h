/* Lane: the short way for the samples of a series, which are nearly all bytes of an answer: what
 * has the plain form [time,"value"],[ is read here, several times faster than by yajl; all else is
 * yajl's. Both ways give the same. */
#ifndef LV_SOURCE_LANE_H
#define LV_SOURCE_LANE_H

#include "source/collect.h"

/* Takes plain samples from the beginning of s, each with the comma behind it, as long as another
 * one begins behind that. *taken: the bytes read. -1 as collect_sample. */
int lane_take(
	struct collect *c, const char *s, size_t n, size_t *taken, struct error *err) LV_CHECKED;

/* Where the next sample begins that has one before it, i.e. behind "],": offset, or n if none. */
size_t lane_find(const char *s, size_t n);

#endif
