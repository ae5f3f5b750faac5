/**
 * What nodes tell each other: small notes over core NATS, kept nowhere. Each of the others hears each once, at most; who
 * was away hears of that (`missed`), and looks for itself.
 */
import { Buffer } from 'node:buffer';
import type { Nats } from './connection.ts';

export interface Notes extends Disposable {
  /** Tells the other nodes; `value` is JSON. False where it could not be sent: too large, or no connection. Never throws. */
  tell(value: unknown): boolean;
}

export interface NotesOptions {
  /** A word: the subject is `PREFIX.notes.TOPIC`. */
  readonly topic: string;
  /** Of another node, and not checked: whoever may write to NATS may have sent it. */
  readonly hear: (value: unknown) => void;
  /** The connection is there again: what the others said meanwhile is lost. */
  readonly missed?: () => void;
}

/** Of one note, in JSON. */
export const maxNoteBytes = 512 * 1024;

export function openNotes(nats: Nats, { topic, hear, missed }: NotesOptions): Notes {
  const { connection, address, id } = nats;
  const subject = `${address.prefix}.notes.${topic}`;
  const subscription = connection.subscribe(subject, {
    callback(error, message) {
      if (error || message.data.length > maxNoteBytes) return;
      const note = parse(message.data);
      if (note && note.from !== id) hear(note.value);
    },
  });
  const unwatch = nats.watch(({ isUp }) => {
    if (isUp) missed?.();
  });
  return {
    tell(value) {
      // The client would keep it until there is a connection, and everything else with it.
      if (!nats.availability().isUp || connection.isClosed()) return false;
      const text = Buffer.from(JSON.stringify({ from: id, value }));
      if (text.length > maxNoteBytes || text.length > (connection.info?.max_payload ?? 0)) return false;
      try {
        connection.publish(subject, text);
        return true;
      } catch {
        return false;
      }
    },
    [Symbol.dispose]() {
      unwatch();
      subscription.unsubscribe();
    },
  };
}

function parse(data: Uint8Array): { from: unknown; value: unknown } | undefined {
  try {
    const note: unknown = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString());
    return typeof note === 'object' && note !== null && 'from' in note && 'value' in note ? note : undefined;
  } catch {
    return undefined;
  }
}
