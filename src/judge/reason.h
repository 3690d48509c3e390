/* Reasons: the one table of reason codes. A code is never renamed.
 *
 * X(enum suffix, code, severity). The texts (English, Korean, remedy) stand in the catalogues
 * templates/en.catalogue and templates/ko.catalogue under `reason.CODE` and `remedy.CODE`; the
 * {parameters} that they may use are named in the comments here. {subject} is always allowed.
 * Severities: DECIDES (makes a FAIL, INVALID or UNMET), DOUBT (makes INCONCLUSIVE or UNPROVEN),
 * NOTE (changes no verdict), ERROR (nothing was judged: exit 2, 5, 6, 70). */
#ifndef LV_JUDGE_REASON_H
#define LV_JUDGE_REASON_H

#define REASONS(X)                                                                                 \
	/* decides */                                                                              \
	X(OBJECTIVE_MISSED, "objective-missed", DECIDES)     /* ratio objective good total */      \
	X(PERCENTILE_MISSED, "percentile-missed", DECIDES)   /* p within share */                  \
	X(STEP_MISSED, "step-missed", DECIDES)		     /* step */                            \
	X(INVARIANT_VIOLATED, "invariant-violated", DECIDES) /* observed limit */                  \
	X(PRECONDITION_UNMET, "precondition-unmet", DECIDES) /* observed limit */                  \
	X(DELIVERED_SHORT, "delivered-short", DECIDES)	     /* delivered load percent */          \
	/* doubt */                                                                                \
	X(NO_TRAFFIC, "no-traffic", DOUBT)                                                         \
	X(TOO_FEW_EVENTS, "too-few-events", DOUBT)     /* total at_least */                        \
	X(UNDECIDED, "undecided", DOUBT)	       /* low high limit: they disagree */         \
	X(STEP_UNDECIDED, "step-undecided", DOUBT)     /* step */                                  \
	X(MEMBER_UNDECIDED, "member-undecided", DOUBT) /* member */                                \
	X(UNSEEN, "unseen", DOUBT)		       /* target from to */                        \
	X(TARGET_LAGGING, "target-lagging", DOUBT)     /* target last */                           \
	X(TARGET_DOWN, "target-down", DOUBT)	       /* target from to */                        \
	X(NO_UP, "no-up", DOUBT)		       /* query */                                 \
	X(NO_DATA, "no-data", DOUBT)		       /* -: nothing at all in the window */       \
	X(OLDER_THAN_RETENTION, "older-than-retention", DOUBT) /* start retention */               \
	X(BIRTH_UNKNOWN, "birth-unknown", DOUBT)	       /* series value at */               \
	X(EDGE_GAP, "edge-gap", DOUBT)			       /* series edge from to growth */    \
	X(GAUGE_GAP, "gauge-gap", DOUBT)		       /* target from to */                \
	X(VALUE_TOO_OLD, "value-too-old", DOUBT)	       /* edge */                          \
	X(SEVERAL_SERIES, "several-series", DOUBT)	       /* n: needs across */               \
	X(METRIC_UNKNOWN, "metric-unknown", DOUBT)	       /* metric */                        \
	X(LABEL_UNKNOWN, "label-unknown", DOUBT)	       /* metric label labels */           \
	X(VALUE_UNKNOWN, "value-unknown", DOUBT)	       /* metric label value values */     \
	X(NO_SERIES, "no-series", DOUBT)		       /* selector */                      \
	X(MATCHER_IMPOSSIBLE, "matcher-impossible", DOUBT)     /* matcher values */                \
	X(NO_FAMILY, "no-family", DOUBT)		       /* metric: needs `family` */        \
	X(NO_TARGET, "no-target", DOUBT)		       /* selector: no `up` fits */        \
	X(EXPORTER_DOWN, "exporter-down", DOUBT)	       /* metric target at */              \
	X(BUCKET_MISSING, "bucket-missing", DOUBT)	       /* within series buckets */         \
	X(BUCKET_OVER_COUNT, "bucket-over-count", DOUBT)       /* series bucket count */           \
	X(BUCKETS_FALL, "buckets-fall", DOUBT)		       /* series le lower */               \
	X(BUCKETS_INCOMPLETE, "buckets-incomplete", DOUBT)     /* series: count or buckets only */ \
	X(GOOD_OVER_TOTAL, "good-over-total", DOUBT)	       /* good total */                    \
	X(BAD_VALUE, "bad-value", DOUBT)		       /* series value at */               \
	X(RECORDED_NAME, "recorded-name", DOUBT)	       /* metric */                        \
	X(QUERY_EMPTY, "query-empty", DOUBT)		       /* query answer */                  \
	X(NOT_IN_THIS_BUILD, "not-in-this-build", DOUBT)       /* what series */                   \
	X(NOT_ARCHIVED, "not-archived", DOUBT)		       /* query */                         \
	X(LIMIT_REACHED, "limit-reached", DOUBT)	       /* what limit */                    \
	/* notes */                                                                                \
	X(BASELINE_GROWTH, "baseline-growth", NOTE)	    /* growth from to */                   \
	X(RESTARTED, "restarted", NOTE)			    /* target at */                        \
	X(ENDED, "ended", NOTE)				    /* target at */                        \
	X(NO_START_TIME, "no-start-time", NOTE)		    /* target */                           \
	X(FIRST_INSIDE, "first-inside", NOTE)		    /* at */                               \
	X(SAMPLED_EVERY, "sampled-every", NOTE)		    /* interval */                         \
	X(BY_SERVER, "computed-by-server", NOTE)	    /* query */                            \
	X(UNSEEN_PROPORTIONAL, "unseen-proportional", NOTE) /* verdict: of the default */          \
	X(UNSEEN_BAD, "unseen-counted-bad", NOTE)	    /* events verdict: if proportional */  \
	X(WITNESSED, "witnessed", NOTE)			    /* witness */                          \
	X(OPTIONAL_ABSENT, "optional-absent", NOTE)	    /* selector */                         \
	X(ZERO_PROVEN, "zero-proven", NOTE)		    /* targets family */                   \
	X(MICROMETER_BOUNDS, "micrometer-bounds", NOTE)	    /* within below above */               \
	X(OPEN_UNCERTAIN, "open-uncertain", NOTE)	    /* from to */                          \
	X(SERVER_INFO, "server-info", NOTE)		    /* text */                             \
	X(TEXT_REPAIRED, "text-repaired", NOTE)		    /* query */                            \
	X(NOT_EVALUATED, "not-evaluated", NOTE)		    /* blocks */                           \
	X(LOAD_NOT_MEASURED, "load-not-measured", NOTE)                                            \
	X(CREATED_USED, "created-used", NOTE)	/* series at */                                    \
	X(SERIES_REBORN, "series-reborn", NOTE) /* series at value */                              \
	X(INSECURE_TLS, "insecure-tls", NOTE)                                                      \
	X(OBJECTIVE_CHANGED, "objective-changed", NOTE)                                            \
	/* nothing was judged */                                                                   \
	X(USAGE, "usage", ERROR)                                                                   \
	X(BAD_TIME, "bad-time", ERROR)                                                             \
	X(UNKNOWN_ZONE, "unknown-zone", ERROR)                                                     \
	X(BAD_SPEC, "bad-spec", ERROR)                                                             \
	X(BAD_SELECTOR, "bad-selector", ERROR)                                                     \
	X(BAD_REGEX, "bad-regex", ERROR)                                                           \
	X(WINDOW_NOT_OVER, "window-not-over", ERROR)                                               \
	X(OPEN_NOT_FOUND, "open-not-found", ERROR)                                                 \
	X(UNKNOWN_RUN, "unknown-run", ERROR)                                                       \
	X(NAME_TAKEN, "name-taken", ERROR)                                                         \
	X(UNREACHABLE, "unreachable", ERROR)                                                       \
	X(TIMED_OUT, "timed-out", ERROR)                                                           \
	X(REFUSED, "refused", ERROR)		 /* 4xx */                                         \
	X(UNAUTHORIZED, "unauthorized", ERROR)	 /* 401, 403 */                                    \
	X(SERVER_FAILED, "server-failed", ERROR) /* 5xx to the end of the retries */               \
	X(REDIRECTED, "redirected", ERROR)                                                         \
	X(TLS_FAILED, "tls-failed", ERROR)                                                         \
	X(INCOMPLETE, "incomplete-answer", ERROR)  /* cut, warnings, isPartial */                  \
	X(NOT_PROMETHEUS, "not-prometheus", ERROR) /* no such JSON */                              \
	X(TOO_LARGE, "too-large", ERROR)	   /* a limit of ours */                           \
	X(SECRET_MISSING, "secret-missing", ERROR)                                                 \
	X(STORE_FAILED, "store-failed", ERROR)                                                     \
	X(STORE_LOCKED, "store-locked", ERROR)                                                     \
	X(STORE_CORRUPT, "store-corrupt", ERROR)                                                   \
	X(STORE_TOO_NEW, "store-too-new", ERROR)                                                   \
	X(OUTPUT_FAILED, "output-failed", ERROR)                                                   \
	X(INTERNAL, "internal", ERROR)

enum severity { SEVERITY_DECIDES, SEVERITY_DOUBT, SEVERITY_NOTE, SEVERITY_ERROR };

enum reason {
#define REASON_ENUM(suffix, code, severity) REASON_##suffix,
	REASONS(REASON_ENUM)
#undef REASON_ENUM
		REASON_COUNT
};

const char *reason_code(enum reason r);
enum severity reason_severity(enum reason r);
int reason_find(const char *code); /* -1: no such code */

#endif
