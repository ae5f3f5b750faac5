/** Transactions that tell a load balancer or a monitor that a service is there: most of all, and the least of interest. */
import { memo } from '../../../base/memo.ts';

/** The last part of a path. */
const checks = new Set([
  '_health',
  '_healthz',
  '_ping',
  'health',
  'health-check',
  'health_check',
  'healthcheck',
  'healthcheckz',
  'healthy',
  'healthz',
  'heartbeat',
  'livez',
  'liveness',
  'ping',
  'readiness',
  'readyz',
]);
/** Words that may be a page of their own, and are none behind one of those, or alone behind a dash. */
const afterCheck = new Set(['alive', 'check', 'db', 'live', 'ready', 'started', 'startup']);

const rpc = /^(?:\/)?grpc\.health\.v1\.Health\/(?:Check|Watch)$/;
/** What frameworks call their own. */
const named = new Set(['Rails::HealthController#show', 'GET /up', '/up', 'HEAD /up']);

const isCheck = memo(readName);

/** `GET /healthz`, `/api/health`, `http://shop:80/ping`: a path, perhaps behind a method that only reads. */
function readName(name: string): boolean {
  if (named.has(name)) return true;
  const [, method = '', rest = name] = /^([A-Z]{3,7}) (.*)$/s.exec(name) ?? [];
  if (method !== '' && method !== 'GET' && method !== 'HEAD') return false;
  if (rpc.test(rest)) return true;
  const path = rest.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return false;
  const parts = path.toLowerCase().split('/').filter(Boolean);
  const last = (parts.at(-1) ?? '').replace(/\.(?:json|html?|php|aspx?|txt)$/, '');
  const before = parts.at(-2) ?? '';
  return checks.has(last) || (afterCheck.has(last) && (checks.has(before) || before === '-'));
}

/** Operations of pages that people open, whatever these are called. */
const ofPages = /^(?:pageload|navigation|ui\.)/;

/** `name` is that of the segment, `op` its operation; '' where a span does not say its segment's. */
export const isHealthCheck = (name: string, op: string): boolean =>
  name !== '' && name.length <= 300 && !ofPages.test(op) && isCheck(name);
