/**
 * Requests of projects with a mirror, for who forwards them: as they came, once they were accepted. Nothing waits for
 * that, and a project without a mirror pays one look at its key.
 */
import type { Signal } from '../base/otlp/index.ts';
import { CodedError } from '../base/errors.ts';
import { clientHints } from './append.ts';
import type { Encoding } from './decompress.ts';
import type { Exchange, Ingest } from './exchange.ts';
import type { IngestKey } from './keys.ts';
import type { ScannedItem } from './scan.ts';

/** Which endpoint of the target takes it. */
export type MirroredKind = 'envelope' | 'security' | Signal;

export interface MirroredHead {
  readonly kind: MirroredKind;
  /** ms since the epoch. */
  readonly receivedAt: number;
  readonly encoding: Encoding;
  readonly contentType?: string | undefined;
  /** Whether the header of the envelope names a DSN. */
  readonly hasDsn?: boolean | undefined;
  /** What rate limits call its items, each once. */
  readonly categories: readonly string[];
  /** `name/version` of the SDK. */
  readonly client?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly clientHints?: Readonly<Record<string, string>> | undefined;
  readonly origin?: string | undefined;
  /** Of the client; undefined where the project stores none. */
  readonly remoteAddress?: string | undefined;
  /** Release and environment of a security report, as in the address that it was sent to. */
  readonly query?: string | undefined;
  /** Installations that forwarded it before, as `mirrorHeader` says. */
  readonly hops?: string | undefined;
}

export interface Mirrors {
  /** Of this installation, as it stands in `mirrorHeader`. */
  readonly id: string;
  /** Never waits and never throws. The body is not changed any more. */
  add(projectId: number, head: MirroredHead, body: Uint8Array): void;
}

/** Ids of the installations that forwarded a request, the first one first. */
export const mirrorHeader = 'x-culprit-mirror';
const maxHops = 4;

/** Throws MIRROR_LOOP for what this installation forwarded itself, or too many others did. */
export function refuseLoops({ mirrors }: Pick<Ingest, 'mirrors'>, { request }: Exchange): void {
  const said = request.headers[mirrorHeader];
  if (said === undefined || !mirrors) return;
  const hops = hopsIn(said);
  if (hops.length >= maxHops || hops.includes(mirrors.id)) throw new CodedError('MIRROR_LOOP');
}

const hopsIn = (header: string | string[]): string[] =>
  [header]
    .flat()
    .join(',')
    .split(',')
    .map((id) => id.trim());

export type Mirrored = Pick<MirroredHead, 'kind' | 'encoding' | 'contentType' | 'hasDsn' | 'query'> & {
  readonly body: Uint8Array;
  readonly items: readonly ScannedItem[];
};

export function mirror(
  { mirrors }: Pick<Ingest, 'mirrors'>,
  { request: { headers }, remoteAddress, client }: Exchange,
  { projectId, settings }: IngestKey,
  { body, items, ...kind }: Mirrored,
): void {
  const hops = headers[mirrorHeader];
  mirrors?.add(
    projectId,
    {
      ...kind,
      receivedAt: Date.now(),
      categories: [...new Set(items.flatMap(({ type }) => type.limitCategories))],
      client,
      userAgent: headers['user-agent'],
      clientHints: clientHints(headers),
      origin: headers.origin,
      remoteAddress: settings.storeIpAddresses ? remoteAddress : undefined,
      hops: hops === undefined ? undefined : hopsIn(hops).join(', '),
    },
    body,
  );
}
