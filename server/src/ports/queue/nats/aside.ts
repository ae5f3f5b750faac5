/** Records that no key opens: they wait for theirs in the stream `unreadable`, each in parts under its position. */
import { Buffer } from 'node:buffer';
import type { Nats } from '../../nats/connection.ts';
import type { LogRecord, Position } from '../log.ts';
import type { RecordSeal } from '../seal.ts';
import { asking, publishOnce } from './request.ts';
import type { Streams } from './streams.ts';

export interface AsideOptions {
  readonly nats: Nats;
  readonly streams: Streams;
  readonly seal: RecordSeal;
}

/** They are copied in pieces of so many bytes. */
const asideBytes = 512 * 1024;

export async function setAside({ nats, streams }: AsideOptions, { position, value }: LogRecord): Promise<void> {
  const subject = `${streams.subjects.unreadable}.${position}`;
  for (let offset = 0; offset < value.length; offset += asideBytes) {
    const part = value.subarray(offset, offset + asideBytes);
    const head = { 'Nats-Msg-Id': `${position}.${offset}` };
    await asking(nats, () => publishOnce(nats.connection, subject, part, head));
  }
}

/**
 * What opens by now is appended again, under an id: where several nodes do so at once, each record comes back once.
 * Resolves to how many came back.
 */
export async function takeBack(
  { streams, seal }: AsideOptions,
  append: (value: Uint8Array, id: string) => Promise<Position>,
): Promise<number> {
  const { manager, names, subjects } = streams;
  const { state } = await manager.streams.info(names.unreadable, { subjects_filter: `${subjects.unreadable}.*` });
  let back = 0;
  for (const subject of Object.keys(state.subjects ?? {})) {
    const position = Number(subject.slice(subject.lastIndexOf('.') + 1));
    const parts: Uint8Array[] = [];
    for (let seq = 1; ;) {
      const part = await manager.direct.getMessage(names.unreadable, { seq, next_by_subj: subject });
      if (!part) break;
      parts.push(part.data);
      seq = part.seq + 1;
    }
    const value = seal.open({ position, value: Buffer.concat(parts) });
    if (typeof value === 'string') continue;
    await append(value, `back.${position}`);
    await manager.streams.purge(names.unreadable, { filter: subject });
    back++;
  }
  return back;
}
