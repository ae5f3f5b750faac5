/**
 * What a program says of itself, its release and the segment stands at the end of the attributes of each span of a
 * container, byte for byte. It is taken out of the text before that is parsed, and read once.
 */
import { asObject, type JsonObject } from '../../steps/json.ts';
import { endOfValue } from '../../steps/known-texts.ts';

/** A container without the ends of attributes that are the same. */
export interface Shortened {
  readonly value: unknown;
  /** The attributes that stand for `endMark` wherever it is. */
  readonly end: JsonObject;
  /** How many marks there are. */
  readonly count: number;
}

/** The name that stands for the end; it needs no escape. */
export const endMark = '\x7f';
const writtenMark = `,"${endMark}":0}`;

const begin = '"attributes":{';
/** Shorter ones are parsed as fast. */
const shortest = 100;
const longest = 32 * 1024;
/** A comma and a quote stand in texts too. */
const maxTries = 3;

/**
 * Undefined where the spans have no such end. An end closes its object and begins with a further name, so that the text
 * without it is JSON exactly where the text is.
 */
export function parseShortened(text: string): Shortened | undefined {
  const end = text.includes(endMark) ? undefined : commonEnd(text);
  if (end === undefined) return undefined;
  const pieces = text.split(end.text);
  if (pieces.length < 3) return undefined;
  try {
    return { value: JSON.parse(pieces.join(writtenMark)), end: end.attributes, count: pieces.length - 1 };
  } catch {
    // Whoever parses the whole text says what is wrong with it.
    return undefined;
  }
}

/** Of the second and the third span: the first one, and the last, may be the segment, which has more to say. */
function commonEnd(text: string): { text: string; attributes: JsonObject } | undefined {
  const first = text.indexOf(begin);
  const second = first < 0 ? -1 : text.indexOf(begin, first + begin.length);
  const third = second < 0 ? -1 : text.indexOf(begin, second + begin.length);
  if (third < 0) return undefined;
  const [a, b] = [second, third].map((at) => endOfValue(text, at + begin.length - 1, longest)) as [number, number];
  const most = Math.min(a - second, b - third) - begin.length;
  let length = 0;
  while (length < most && text.charCodeAt(a - 1 - length) === text.charCodeAt(b - 1 - length)) length++;
  let start = b - length;
  for (let tries = 0; tries < maxTries; tries++) {
    start = text.indexOf('},"', start) + 1;
    if (start === 0 || b - start < shortest) return undefined;
    const attributes = attributesOf(text.slice(start + 1, b));
    if (attributes) return isUnchanging(attributes) ? { text: text.slice(start, b), attributes } : undefined;
  }
  return undefined;
}

function attributesOf(members: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(`{${members}`));
  } catch {
    return undefined;
  }
}

/** Objects are scrubbed in place, so that each span needs its own. */
function isUnchanging(attributes: JsonObject): boolean {
  return Object.values(attributes).every((typed) => {
    const value = asObject(typed)?.value;
    return typeof value !== 'object' || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));
  });
}
