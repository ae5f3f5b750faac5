/** What 'culprit doctor' says of the NATS that has the log. Changes nothing there. */
import { jetstreamManager } from '@nats-io/jetstream';
import type { Config } from '../base/config.ts';
import { doctor as texts } from '../base/texts/cli.ts';
import { byteSize } from '../base/texts/intl.ts';
import { openNats } from '../ports/nats/connection.ts';

const leastPayload = 512 * 1024;

/** Throws what opening the connection throws: it says what is wrong. */
export async function checkNats({ logUrl, logMaxBytes }: Config): Promise<{
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}> {
  await using nats = await openNats({ url: logUrl, name: 'culprit' });
  const { address, servers, connection } = nats;
  const { version = '', max_payload: payload = 0 } = connection.info ?? {};
  const found = texts.natsOk(version, servers, address.replicas, byteSize(payload));
  const manager = await jetstreamManager(connection);
  const { limits, reserved_storage: reserved } = await manager.getAccountInfo();
  const names = ['log', 'batches', 'large', 'unreadable'].map((name) => `${address.prefix}-${name}`);
  const streams = await Promise.all(names.map((name) => manager.streams.info(name).catch(() => undefined)));
  const free = limits.max_storage - reserved;
  if (!streams[0] && limits.max_storage > 0 && free < logMaxBytes)
    return { state: 'failed', detail: texts.natsStorage(found, byteSize(logMaxBytes), byteSize(free)) };
  const thin = streams.flatMap((stream) =>
    stream && stream.config.num_replicas < address.replicas ? [stream.config.name] : [],
  );
  if (thin.length > 0) return { state: 'warning', detail: texts.natsReplicas(found, thin) };
  if (payload < leastPayload) return { state: 'warning', detail: texts.natsPayload(found) };
  // Whether it is set, a client cannot ask.
  return address.replicas === 1
    ? { state: 'warning', detail: texts.natsOnDisk(found) }
    : { state: 'ok', detail: found };
}
