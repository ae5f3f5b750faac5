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
/** SDKs that know no route leave the path out of the name. */
const bareMethod = /^[A-Z]{3,7}$/;

interface Segment {
  /** Name of the segment; '' where a span does not say its segment's. */
  readonly transaction: string;
  readonly op: string;
  readonly is_segment: number;
  readonly platform: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Of a segment, or of a span by its segment's name: what that one's operation and path are, only the segment itself says. */
export function ofHealthCheck({ transaction, op, is_segment: isSegment, platform, attributes }: Segment): boolean {
  if (transaction === '' || transaction.length > 300 || platform === 'javascript') return false;
  if (isSegment === 0) return isCheck(transaction);
  if (ofPages.test(op)) return false;
  return isCheck(bareMethod.test(transaction) ? `${transaction} ${pathOf(attributes)}` : transaction);
}

function pathOf(attributes: Segment['attributes']): string {
  const path =
    attributes['http.route'] ?? attributes['url.path'] ?? attributes['http.target'] ?? attributes['url.full'];
  return path?.slice(0, 300) ?? '';
}
