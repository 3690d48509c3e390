/* What every unit test includes: cmocka with the headers that it needs before it. */
#ifndef LV_TESTS_UNIT_H
#define LV_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

#endif
