/* A certificate for 127.0.0.1 and its key: for the fake server only, worthless anywhere else. */
#include "fake_server_tls.h"

#include "fake_server.h"

const char fake_server_ca[] = "-----BEGIN CERTIFICATE-----\n"
			      "MIIBkTCCATagAwIBAgIUd7/gdDxbLSLjjX67dCtcp/fz1tMwCgYIKoZIzj0EAwIw\n"
			      "FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTIwMTAzMTQ1NFoYDzIxMjYxMTA3\n"
			      "MDMxNDU0WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO\n"
			      "PQMBBwNCAAT0FiO1FMbQw3oOUhiUeAN+taVTMXHhkrk7MDuG1TGxGi4325jEOVk+\n"
			      "HY0Gc9vRVNLhb3pQyigydckOu4ByEvwno2QwYjAdBgNVHQ4EFgQU7bnRvemhimwp\n"
			      "wXI46GXHJWKCvh8wHwYDVR0jBBgwFoAU7bnRvemhimwpwXI46GXHJWKCvh8wDwYD\n"
			      "VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC\n"
			      "IQDCGz+rABHFylLPF2mqUriMSXt8Wi41/gjgRtxNcQEQWQIhAOJ4Vss5xWcjEmtQ\n"
			      "9qSPq1Ka1oF4cfMCIcu6vfHndmMv\n"
			      "-----END CERTIFICATE-----\n";

const char fake_server_key[] = "-----BEGIN PRIVATE KEY-----\n"
			       "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHYeChJqzOxLE4+bZ\n"
			       "8FYDtXaYQ+HlwvgWHeQh/k31IUWhRANCAAT0FiO1FMbQw3oOUhiUeAN+taVTMXHh\n"
			       "krk7MDuG1TGxGi4325jEOVk+HY0Gc9vRVNLhb3pQyigydckOu4ByEvwn\n"
			       "-----END PRIVATE KEY-----\n";
