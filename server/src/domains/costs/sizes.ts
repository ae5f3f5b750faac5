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
const longestName = 200;
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

/** Columns of a row whose entries are parts of their own. */
const attributeColumns = ['attributes', 'numbers'];
/** Columns that are told of like attributes: what an application writes, and as long as it likes. */
const textColumns = ['body', 'description'];

/** A row of spans or logs: of all its columns, and of each attribute. */
export function sizedRow(row: Readonly<Record<string, unknown>>): Sized {
  const parts = new Map<string, number>();
  let bytes = 0;
  for (const [column, value] of Object.entries(row)) {
    if (attributeColumns.includes(column) && isObject(value)) {
      for (const [name, own] of Object.entries(value)) {
        const size = sizeOf(own);
        count(parts, name, size);
        bytes += size;
      }
      continue;
    }
    const size = sizeOf(value);
    bytes += size;
    if (textColumns.includes(column)) count(parts, column, size);
  }
  return { bytes, parts };
}
