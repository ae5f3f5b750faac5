/** How long an answer counts as fresh, ms: what moves slowly five minutes, telemetry not at all. */
export const staticFreshMs = 300_000;
export const telemetryFreshMs = 0;
