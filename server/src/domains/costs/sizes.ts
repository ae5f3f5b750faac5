/** Bytes of what is stored, by its parts. Pure. */

/** Bytes by name. Names are what somebody sent, so no object has them as keys. */
export type Sizes = ReadonlyMap<string, number>;

export interface Sized {
  readonly bytes: number;
  readonly parts: Sizes;
}

export interface SizedEvent extends Sized {
  /** Of its tags, contexts and extra, as `tags.browser`. */
  readonly attributes: Sizes;
}

/** Longer names are cut: they are told of, no more. */
export const longestName = 200;
const attributeParts = ['tags', 'contexts', 'extra'];

const sizeOf = (value: unknown): number => Buffer.byteLength((JSON.stringify(value) as string | undefined) ?? '');

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function count(sizes: Map<string, number>, name: string, bytes: number): void {
  const cut = name.slice(0, longestName);
  sizes.set(cut, (sizes.get(cut) ?? 0) + bytes);
}

/** JSON text of an event by its top keys; what is no object has no parts. */
export function sizedEvent(payload: string): SizedEvent {
  const bytes = Buffer.byteLength(payload);
  const [parts, attributes] = [new Map<string, number>(), new Map<string, number>()];
  let event: unknown;
  try {
    event = JSON.parse(payload);
  } catch {
    return { parts, attributes, bytes };
  }
  if (!isObject(event)) return { parts, attributes, bytes };
  for (const [name, value] of Object.entries(event)) count(parts, name, sizeOf(value));
  for (const part of attributeParts)
    for (const [name, value] of entriesOf(event[part])) count(attributes, `${part}.${name}`, sizeOf(value));
  return { parts, attributes, bytes };
}

/** Of an object, or of a list of pairs, as tags are one. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (isObject(value)) return Object.entries(value);
  if (!Array.isArray(value)) return [];
  return value.flatMap((pair: unknown) =>
    Array.isArray(pair) && typeof pair[0] === 'string' ? [[pair[0], pair[1]]] : [],
  );
}

/** A row of spans or logs, of which the engine has told the sizes: values of attributes are a thousand times larger. */
export interface RowSizes {
  /** Of all columns. */
  readonly bytes: number;
  /** Of what an application writes. */
  readonly text: number;
  /** Of attributes that are texts. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Attributes that are numbers. */
  readonly named: readonly string[];
}

const numberBytes = 8;

/** The text is told of like an attribute. */
export function sizedRow({ bytes, text, sizes, named }: RowSizes, textColumn: string): Sized {
  const parts = new Map([[textColumn, text]]);
  for (const [name, size] of Object.entries(sizes)) count(parts, name, size);
  for (const name of named) count(parts, name, numberBytes);
  return { bytes, parts };
}
