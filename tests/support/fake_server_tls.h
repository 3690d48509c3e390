/* The key of fake_server_ca. */
#ifndef LV_TESTS_FAKE_SERVER_TLS_H
#define LV_TESTS_FAKE_SERVER_TLS_H

extern const char fake_server_key[];

#endif
