/* main: dispatch and exit code; nothing else. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/options.h"

static const struct command *find_command(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

int main(int argc, char **argv)
{
	struct options o = {0};
	struct error err = {0};

	argp_err_exit_status = ERROR_USAGE;
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2)
		return help_usage(stderr), ERROR_USAGE;
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return help_usage(stdout), 0;
	if (!strcmp(argv[1], "--version"))
		return printf("loadverdict %s\n", LV_VERSION) < 0;
	const struct command *c = find_command(argv[1]);
	if (!c)
		return help_unknown(argv[1]);
	int rc = options_parse(c, argc - 1, argv + 1, &o, &err);
	if (!rc)
		rc = c->run(&o, &err);
	if (rc < 0)
		rc = help_failed(c, &o, &err);
	options_release(&o);
	return rc;
}
