/** Writes what was accepted into the log. */
import type { IncomingHttpHeaders } from 'node:http';
import type { StandsFor } from '../base/stands-for.ts';
import { receivedParts, type ReceivedItemHead } from '../ports/queue/received.ts';
import type { Encoding } from './decompress.ts';
import type { Exchange, Ingest } from './exchange.ts';
import type { IngestKey } from './keys.ts';

/** Below this, what is decompressed needs no room made for it. */
const largeBytes = 1024 * 1024;

interface BodyToAppend {
  readonly body: Uint8Array;
  readonly encoding: Encoding;
  /** Decompressed. */
  readonly bytes: number;
}

export interface AppendedAs {
  /** Where the body is the payload of one item and no envelope. */
  readonly item?: ReceivedItemHead | undefined;
  readonly standsFor?: StandsFor | undefined;
}

/** Resolves when the body is on disk. Throws LOG_FULL. */
export function append(
  ingest: Ingest,
  exchange: Exchange,
  key: IngestKey,
  { body, encoding, bytes }: BodyToAppend,
  { item, standsFor }: AppendedAs = {},
): Promise<unknown> {
  const { headers } = exchange.request;
  const parts = receivedParts(
    {
      kind: 'envelope',
      projectId: key.projectId,
      keyId: key.keyId,
      receivedAt: Date.now(),
      encoding,
      bytes: encoding !== '' && bytes > largeBytes ? bytes : undefined,
      remoteAddress: exchange.remoteAddress,
      userAgent: headers['user-agent'],
      clientHints: clientHints(headers),
      origin: headers.origin,
      item,
      standsFor,
    },
    body,
  );
  return ingest.log.append(...parts);
}

export function clientHints(headers: IncomingHttpHeaders): Record<string, string> | undefined {
  let hints: Record<string, string> | undefined;
  for (const name in headers) {
    if (!name.startsWith('sec-ch-ua')) continue;
    const value = headers[name];
    if (typeof value === 'string') (hints ??= {})[name] = value;
  }
  return hints;
}
