/** Where a mirror leads, and what is sent there. Pure. */
import { formatDsn, parseDsn } from '@culprit/envelope';
import { CodedError } from '../../base/errors.ts';
import type { KeptCall } from '../../base/outbound/index.ts';
import { requests } from '../../base/texts/requests.ts';
import { mirrors as texts } from '../../base/texts/mirror.ts';
import { type MirroredHead, mirrorHeader } from '../../ingest/index.ts';

export interface Target {
  readonly dsn: string;
  /** Of the server, with the path under which it lives. */
  readonly base: string;
  readonly host: string;
  readonly publicKey: string;
  readonly projectId: string;
}

/** Sentry's and ours have 32 hex digits; others give out others. */
const key = /^[\w-]{1,128}$/;
const project = /^[\w-]{1,64}$/;

/** Throws INPUT_INVALID. `own` is the address of this installation. */
export function readTarget(dsn: string, own: string): Target {
  const refuse = (why: string): never => {
    throw new CodedError('INPUT_INVALID', [requests.field('dsn', why)]);
  };
  const parsed = parseDsn(dsn.trim());
  if (!parsed) return refuse(texts.notDsn);
  if (!key.test(parsed.publicKey)) return refuse(texts.badKey);
  if (!project.test(parsed.projectId)) return refuse(texts.badProject);
  const { protocol, host, pathPrefix, publicKey, projectId } = parsed;
  const base = `${protocol}://${host}${pathPrefix}`;
  if (URL.canParse(own) && new URL(base).host === new URL(own).host) return refuse(texts.own);
  return { dsn: formatDsn(parsed), base, host, publicKey, projectId };
}

/** Without most of the key: enough to recognise it by. */
export const shownDsn = ({ base, publicKey, projectId }: Target): string =>
  `${base.replace('://', `://…${publicKey.slice(-4)}@`)}/${projectId}`;

const client = /^[\w.@/+-]{1,100}$/;

/** The call that says a request again, `id` being this installation. */
export function callFor(target: Target, head: MirroredHead, body: Uint8Array, id: string): KeptCall {
  const auth = `sentry_version=7, sentry_key=${target.publicKey}`;
  const headers = {
    ...head.clientHints,
    'x-sentry-auth': `Sentry ${auth}${head.client && client.test(head.client) ? `, sentry_client=${head.client}` : ''}`,
    'content-type': head.contentType ?? 'application/x-sentry-envelope',
    ...(head.encoding && { 'content-encoding': head.encoding }),
    ...(head.userAgent !== undefined && { 'user-agent': head.userAgent }),
    ...(head.origin !== undefined && { origin: head.origin }),
    ...(head.remoteAddress && { 'x-forwarded-for': head.remoteAddress }),
    [mirrorHeader]: head.hops ? `${head.hops}, ${id}` : id,
  };
  return { url: urlFor(target, head), headers, body };
}

function urlFor({ base, publicKey, projectId }: Target, { kind, query = '' }: MirroredHead): string {
  const api = `${base}/api/${projectId}`;
  if (kind === 'envelope') return `${api}/envelope/`;
  if (kind === 'security') return `${api}/security/?sentry_key=${publicKey}${query ? `&${query}` : ''}`;
  return `${api}/integration/otlp/v1/${kind}`;
}
