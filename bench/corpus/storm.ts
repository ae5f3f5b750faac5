/**
 * A storm: events as those of the corpus, a few bugs of which come over and over. Among them bugs that nobody has seen, each
 * once, and bugs whose type, message and top frames are those of the most frequent one, so that only frames below tell them
 * apart.
 */
import { type CorpusEnvelope, createCorpus } from '../corpus.ts';

export interface StormOptions {
  readonly seed: number;
  readonly count: number;
  readonly nowMs: number;
  /** Every so many events one of a bug that nobody has seen. */
  readonly newEvery: number;
  /** Bugs behind the key of the most frequent one, and how often each is sent, at even distances. */
  readonly hidden: number;
  readonly sightings: number;
}

interface StormEvent {
  exception?: {
    readonly values: { type?: string; stacktrace?: { frames: { function?: string; [field: string]: unknown }[] } }[];
  };
}

export const newType = 'NeverSeenBefore';
export const hiddenFunction = 'behindAKnownKey';

export function* createStorm(options: StormOptions): Generator<CorpusEnvelope> {
  const { count, newEvery, hidden, sightings } = options;
  const hiddenEvery = Math.floor(count / Math.max(1, hidden * sightings));
  let first: CorpusEnvelope | undefined;
  let index = 0;
  for (const envelope of createCorpus({ ...options, encoding: 'identity' })) {
    first ??= envelope;
    if (index % newEvery === newEvery - 1) {
      yield changed(envelope, envelope, (event) => {
        for (const value of event.exception?.values ?? []) value.type = `${newType}${letters(index)}`;
      });
    } else if (hidden > 0 && index % hiddenEvery === hiddenEvery - 2) {
      const bug = Math.floor(index / hiddenEvery) % hidden;
      yield changed(first, envelope, (event) => {
        for (const value of event.exception?.values ?? []) {
          const { frames = [] } = value.stacktrace ?? {};
          // The newest call is the last one; this one is below the three that count.
          const below = { ...frames.at(-5), function: `${hiddenFunction}${letters(bug)}`, in_app: true };
          if (value.stacktrace) value.stacktrace.frames = [...frames.slice(0, -4), below, ...frames.slice(-4)];
        }
      });
    } else {
      yield envelope;
    }
    index++;
  }
}

/** Digits would count as a number. */
const letters = (number: number): string =>
  number.toString().replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');

/** The event of the one under the id of the other. */
function changed(
  { body }: CorpusEnvelope,
  { eventId }: CorpusEnvelope,
  change: (event: StormEvent) => void,
): CorpusEnvelope {
  const [head = '', item = '', payload = ''] = body.toString().split('\n');
  const event = { ...(JSON.parse(payload) as StormEvent), event_id: eventId };
  change(event);
  const header = { ...(JSON.parse(head) as object), event_id: eventId };
  const { length: _length, ...itemHeader } = JSON.parse(item) as { length?: number };
  const text = JSON.stringify(event);
  const lines = [header, { ...itemHeader, length: Buffer.byteLength(text) }].map((line) => JSON.stringify(line));
  const made = Buffer.from(`${[...lines, text].join('\n')}\n`);
  return { eventId, body: made, sizeBytes: made.length };
}
