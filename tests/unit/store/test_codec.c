/* Codec: series come back bit for bit, and no byte string can hurt the decoder. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/codec.h"

static double of_bits(uint64_t bits)
{
	double v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

static void add(struct encoder *e, const struct series *s)
{
	struct error err = {0};
	if (encoder_add(e, s, &err))
		fail_msg("%s", err.text);
}

static void assert_next(struct decoder *d, const struct series *want)
{
	struct series got;
	struct error err = {0};
	if (decoder_next(d, &got, &err) != 1)
		fail_msg("no series: %s", err.text);
	assert_int_equal(labels_cmp(&got.labels, &want->labels), 0);
	assert_int_equal(got.native, want->native);
	assert_int_equal(got.n, want->n);
	for (size_t i = 0; i < want->n; i++) {
		assert_int_equal(got.t_ms[i], want->t_ms[i]);
		assert_memory_equal(&got.value[i], &want->value[i], sizeof(double));
	}
}

static void round_trip(const struct series *s, size_t n)
{
	struct encoder e = {0};
	struct decoder d = {0};
	struct series end;
	for (size_t i = 0; i < n; i++)
		add(&e, &s[i]);
	decoder_begin(&d, e.out.at, e.out.n);
	for (size_t i = 0; i < n; i++)
		assert_next(&d, &s[i]);
	assert_int_equal(decoder_next(&d, &end, NULL), 0);
	encoder_release(&e);
	decoder_release(&d);
}

static void values_come_back_bit_for_bit(void **state)
{
	(void)state;
	const double v[] = {0, -0.0, 1, -1, 0x1p53, 0x1p53 + 2, -0x1p53, 1e308, -1e308, 5e-324, 0.1,
		INFINITY, -INFINITY, sample_stale(), of_bits(0x7ff8000000000001),
		of_bits(0xfff8dead00000000), of_bits(0x7ff0000000000001), 9007199254740991, 0x1p63,
		3};
	enum { N = sizeof v / sizeof v[0] };
	int64_t t[N];
	for (int i = 0; i < N; i++)
		t[i] = 1780000000000 + i * i * 17;
	struct label l[] = {{"__name__", "m"}};
	struct series s[N + 2] = {{{l, 1}, N, t, v, false}};
	for (size_t i = 0; i < N; i++) /* alone, as an integer or not */
		s[i + 1] = (struct series){{l, 1}, 1, t, &v[i], true};
	s[N + 1] = (struct series){{l, 1}, 0, t, v, false};
	round_trip(s, N + 2);
}

static void integers_with_a_stale_end_stay_small(void **state)
{
	(void)state;
	struct encoder e = {0};
	int64_t t[100];
	double v[100];
	for (int i = 0; i < 100; i++) {
		t[i] = 1780000000000 + i * 5000;
		v[i] = 1e6 + i * 50;
	}
	v[99] = sample_stale();
	struct series s = {{NULL, 0}, 100, t, v, false};
	add(&e, &s);
	size_t first = e.out.n;
	add(&e, &s);
	assert_in_range(first, 1, 330);
	assert_in_range(e.out.n - first, 1, 220); /* the times are said once */
	encoder_release(&e);
}

static void times_of_every_shape(void **state)
{
	(void)state;
	const int64_t t[] = {-((int64_t)1 << 53), -1, 0, 1, 1780000000000, ((int64_t)1 << 53) - 1,
		(int64_t)1 << 53};
	const double v[7] = {1, 2, 3, 4, 5, 6, 7};
	struct label l[] = {{"a", "1"}};
	struct series s[] = {{{l, 1}, 7, t, v, false}, {{l, 1}, 3, t + 2, v, false},
		{{l, 1}, 3, t + 2, v, false}, {{l, 1}, 1, t + 5, v, false},
		{{l, 1}, 7, t, v, false}};
	round_trip(s, 5);
}

static void labels_are_coded_against_the_series_before(void **state)
{
	(void)state;
	const int64_t t = 1;
	const double v = 1;
	struct label a[] = {{"__name__", "m"}, {"instance", "10.0.0.1:80"}, {"path", "/abc"}};
	struct label b[] = {{"__name__", "m"}, {"instance", "10.0.0.2:80"}, {"path", "/ab"}};
	struct label c[] = {{"instance", "10.0.0.2:80"}, {"path", ""}};
	struct label d[] = {{"__name__", "other"}, {"instance", "10.0.0.2:80"}, {"path", "/abcd"},
		{"zone", "\xea\xb0\x80\n|\"</script>"}};
	struct series s[] = {{{a, 3}, 1, &t, &v, false}, {{b, 3}, 1, &t, &v, false},
		{{b, 3}, 1, &t, &v, false}, {{c, 2}, 1, &t, &v, false},
		{{NULL, 0}, 1, &t, &v, false}, {{d, 4}, 1, &t, &v, false},
		{{a, 3}, 1, &t, &v, false}};
	round_trip(s, 7);
}

static void what_cannot_be_kept_is_refused(void **state)
{
	(void)state;
	const int64_t down[] = {2, 1}, same[] = {1, 1}, far[] = {((int64_t)1 << 53) + 1};
	const double v[] = {1, 2};
	struct label unsorted[] = {{"b", "1"}, {"a", "1"}}, twice[] = {{"a", "1"}, {"a", "1"}};
	struct label unnamed[] = {{"", "1"}}, broken[] = {{"a", "\xff"}};
	struct series bad[] = {{{NULL, 0}, 2, down, v, false}, {{NULL, 0}, 2, same, v, false},
		{{NULL, 0}, 1, far, v, false}, {{unsorted, 2}, 1, same, v, false},
		{{twice, 2}, 1, same, v, false}, {{unnamed, 1}, 1, same, v, false},
		{{broken, 1}, 1, same, v, false}};
	struct label l[] = {{"a", "1"}};
	struct series good = {{l, 1}, 1, same, v, false};
	struct encoder e = {0};
	struct decoder d = {0};
	add(&e, &good);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct error err = {0};
		assert_int_equal(encoder_add(&e, &bad[i], &err), -1);
		assert_int_equal(err.kind, ERROR_SOURCE);
	}
	add(&e, &good); /* what was refused left no trace */
	decoder_begin(&d, e.out.at, e.out.n);
	assert_next(&d, &good);
	assert_next(&d, &good);
	encoder_release(&e);
	decoder_release(&d);
}

static int decode_all(const unsigned char *bytes, size_t n, struct decoder *d)
{
	/* a copy of exactly this size: the sanitizer sees a byte read too far */
	unsigned char *copy = malloc(n ? n : 1);
	if (n)
		memcpy(copy, bytes, n);
	struct series s;
	struct error err = {0};
	int rc;
	decoder_begin(d, copy, n);
	while ((rc = decoder_next(d, &s, &err)) > 0)
		for (size_t i = 1; i < s.n; i++)
			assert_true(s.t_ms[i] > s.t_ms[i - 1]);
	if (rc < 0)
		assert_string_equal(err.code, "store-corrupt");
	free(copy);
	return rc;
}

static void hand_made_lies_are_refused(void **state)
{
	(void)state;
#define LIE(...)                                                                                   \
	{                                                                                          \
		(const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__}) \
	}
	const struct {
		const unsigned char *at;
		size_t n;
	} lies[] = {
		LIE(8, 0, 0),					/* unknown flag */
		LIE(0),						/* no labels */
		LIE(1, 0),					/* same times as nothing */
		LIE(0, 0xff, 0xff, 0xff, 0xff, 0x0f),		/* many labels */
		LIE(0, 1, 3, 0),				/* same label as nothing */
		LIE(0, 1, 0, 0x7f, 'a'),			/* name longer than the chunk */
		LIE(0, 1, 0, 1, 'a', 1, 1, 'x', 0),		/* shares with nothing */
		LIE(0, 1, 0, 1, 'a', 0, 2, 'x', 0, 0),		/* NUL in a value */
		LIE(0, 1, 0, 0, 0, 0, 0),			/* empty name */
		LIE(0, 1, 0, 1, 'a', 0, 1, 0xff, 0),		/* not UTF-8 */
		LIE(0, 2, 0, 1, 'b', 0, 0, 0, 1, 'a', 0, 0, 0), /* unsorted */
		LIE(0, 0, 0xff, 0xff, 0xff, 0x01, 0),		/* samples beyond the chunk */
		LIE(0, 0, 2, 2, 0, 2, 2),			/* times that stand still */
		LIE(0, 0, 2, 2, 1, 2, 2),			/* times that go back */
		LIE(0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			0x7f), /* too long */
		LIE(0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
			1),			      /* far away */
		LIE(0, 0, 1, 2, 0, 1, 2, 3),	      /* half of a double */
		LIE(4, 0, 1, 2, 1, 2, 3, 4, 5, 6, 7), /* the same, raw */
		LIE(0, 0, 1, 2),		      /* no values */
	};
	struct decoder d = {0};
	for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
		if (decode_all(lies[i].at, lies[i].n, &d) != -1)
			fail_msg("lie %zu was believed", i);
	assert_int_equal(decode_all((const unsigned char *)"", 0, &d), 0);
	decoder_release(&d);
}

static size_t sample_chunk(struct encoder *e)
{
	for (int i = 0; i < 6; i++) {
		char path[16] = "/path/x";
		path[6] = (char)('a' + i);
		struct label l[] = {{"__name__", "m"}, {"path", path}};
		int64_t t[9];
		double v[9];
		for (int k = 0; k < 9; k++) {
			t[k] = 1780000000000 + k * 5000 + i / 2;
			v[k] = i == 3 ? k * 0.3 : k * 1000;
		}
		struct series s = {{l, 2}, 9, t, v, false};
		add(e, &s);
	}
	return e->out.n;
}

static void every_cut_and_every_flipped_bit_is_survived(void **state)
{
	(void)state;
	struct encoder e = {0};
	struct decoder d = {0};
	size_t n = sample_chunk(&e);
	for (size_t i = 0; i < n; i++)
		decode_all(e.out.at, i, &d);
	for (size_t i = 0; i < n * 8; i++) {
		e.out.at[i / 8] ^= (unsigned char)(1 << i % 8);
		decode_all(e.out.at, n, &d);
		e.out.at[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	assert_int_equal(decode_all(e.out.at, n, &d), 0);
	encoder_release(&e);
	decoder_release(&d);
}

static void random_bytes_are_survived(void **state)
{
	(void)state;
	struct decoder d = {0};
	unsigned char noise[200];
	unsigned seed = 1;
	for (int round = 0; round < 20000; round++) {
		for (size_t i = 0; i < sizeof noise; i++)
			noise[i] = (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
		if (round % 2) /* small numbers get further */
			for (size_t i = 0; i < sizeof noise; i++)
				noise[i] &= 7;
		decode_all(noise, sizeof noise, &d);
	}
	decoder_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_back_bit_for_bit),
		cmocka_unit_test(integers_with_a_stale_end_stay_small),
		cmocka_unit_test(times_of_every_shape),
		cmocka_unit_test(labels_are_coded_against_the_series_before),
		cmocka_unit_test(what_cannot_be_kept_is_refused),
		cmocka_unit_test(hand_made_lies_are_refused),
		cmocka_unit_test(every_cut_and_every_flipped_bit_is_survived),
		cmocka_unit_test(random_bytes_are_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
