/** How the sessions of recorded traffic fared, by recording: healthy, errored, unhandled, abnormal, crashed, and users. */
export type Figures = readonly [
  healthy: number,
  errored: number,
  unhandled: number,
  abnormal: number,
  crashed: number,
  users: number,
];

const healthy: Figures = [1, 0, 0, 0, 0, 0];
const errored: Figures = [0, 1, 0, 0, 0, 0];
const erroredUser: Figures = [0, 1, 0, 0, 0, 1];
const unhandled: Figures = [0, 0, 1, 0, 0, 0];
const unhandledUser: Figures = [0, 0, 1, 0, 0, 1];
const abnormal: Figures = [0, 0, 0, 1, 0, 0];
const crashed: Figures = [0, 0, 0, 0, 1, 0];

/** By recording, and by application where there are several. */
export const capturedFigures: Readonly<Record<string, Figures>> = {
  'browser-dialog web': errored,
  'browser-feedback web': errored,
  'browser-logs-metrics web': healthy,
  'browser-no-debug-ids web': unhandled,
  'browser-plain-error plain': unhandled,
  'browser-plain-managed-tunnel plain': unhandled,
  'browser-plain-replay-uncompressed plain': unhandled,
  'browser-plain-trace plain': unhandled,
  'browser-profile web': healthy,
  'browser-replay web': unhandled,
  'browser-replay-on-error web': unhandled,
  'browser-session-nav web': healthy,
  'browser-static web': unhandledUser,
  'browser-stream web': unhandledUser,
  'browser-tunnel web': unhandled,
  'legacy-browser-v7 old-web': errored,
  'legacy-browser-v9-profile old-web': errored,
  'legacy-node-v7 old': errored,
  'node-aggregate-error shop-api': errored,
  'node-anr shop-api': abnormal,
  'node-big-breadcrumbs shop-api': errored,
  'node-captureEvent shop-api': healthy,
  'node-distributed-static front': [3, 0, 0, 0, 1, 0],
  'node-distributed-static stock': [1, 0, 0, 0, 1, 0],
  'node-distributed-stream front': [3, 0, 0, 0, 1, 0],
  'node-distributed-stream stock': [1, 0, 0, 0, 1, 0],
  'node-featureflags shop-api': errored,
  'node-feedback shop-api': errored,
  'node-gzip-large shop-api': errored,
  'node-handled-error shop-api': errored,
  'node-local-vars shop-api': errored,
  'node-message shop-api': errored,
  'node-no-tracing shop-api': errored,
  'node-non-error shop-api': errored,
  'node-rate-limited-429 shop-api': errored,
  'node-rate-limited-header shop-api': errored,
  'node-rich-error shop-api': erroredUser,
  'node-sampled-out shop-api': errored,
  'node-session-crashed shop-api': crashed,
  'node-session-exited shop-api': healthy,
  'node-sessions-errored shop-api': errored,
  'node-trace-manual shop-api': erroredUser,
  'node-trace-manual-static shop-api': erroredUser,
  'node-tunnel shop-api': errored,
  'node-uncaught shop-api': crashed,
  'node-unhandled-rejection shop-api': crashed,
  'node-v10 shop-api': errored,
};
