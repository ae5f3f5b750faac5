/** What an event of a performance problem says of its evidence; fields that are missing or odd are as if they were not there. Pure. */

export interface Evidence {
  /** '' where it is not known. */
  readonly traceId: string;
  readonly transaction: string;
  /** Spans whose time it is about. */
  readonly offenders: readonly string[];
  /** Spans that led to it. */
  readonly causes: readonly string[];
  readonly parents: readonly string[];
  /** Of all offenders together; undefined where it is not known. */
  readonly durationUs: number | undefined;
}

export interface Occurrence {
  readonly type: string;
  /** For people, in this order. */
  readonly display: readonly { readonly name: string; readonly value: string }[];
  readonly evidence: Evidence;
}

type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const ids = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string' && /^[0-9a-f]{16}$/.test(id)) : [];

export function occurrenceOf(event: object): Occurrence {
  const occurrence = object(object(event)['occurrence']);
  const display = occurrence['evidenceDisplay'];
  return {
    type: text(occurrence['type']),
    display: (Array.isArray(display) ? display : [])
      .map(object)
      .map(({ name, value }) => ({ name: text(name), value: text(value) }))
      .filter(({ name, value }) => name !== '' && value !== ''),
    evidence: evidenceOf(object(occurrence['evidenceData'])),
  };
}

/** What is worth a row: not what a later row says by a better name, nor what the page says already. */
export function telling(display: Occurrence['display'], known: readonly string[]): Occurrence['display'] {
  const texts = display.map(({ value }) => splitOp(value).rest);
  return display.filter((_, index) => {
    const text = texts[index] ?? '';
    return !texts.includes(text, index + 1) && !known.includes(text);
  });
}

function evidenceOf(data: Json): Evidence {
  const { offenderDurationMs: ms } = data;
  return {
    traceId: text(data['traceId']),
    transaction: text(data['transaction']),
    offenders: ids(data['offenderSpanIds']),
    causes: ids(data['causeSpanIds']),
    parents: ids(data['parentSpanIds']),
    durationUs: typeof ms === 'number' && Number.isFinite(ms) ? ms * 1000 : undefined,
  };
}

/** `db - SELECT 1` as the op and the rest; the op is '' where there is none. */
export function splitOp(value: string): { readonly op: string; readonly rest: string } {
  const [, op = '', rest] = /^([a-z][\w.]{0,60}) - ([^]+)$/.exec(value) ?? [];
  return { op, rest: rest ?? value };
}
