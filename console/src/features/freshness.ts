/**
 * How long what was fetched may be used without asking again, ms, and how much is fetched ahead of a click. The only place
 * where these are set.
 *
 * Static: the code of pages, projects, their settings and keys, lists of fields. Dynamic: issues, events, health; every
 * visit asks again, and what is known from before is shown meanwhile, marked as being refreshed.
 */
export const staticStaleTimeMs = 300_000;
export const dynamicStaleTimeMs = 0;

/** Prefetch tasks at once. */
export const prefetchLimit = 5;

/** What is not shown any more is kept this long, so that going back finds the page as it was left. */
export const keptForBackMs = 1_800_000;
