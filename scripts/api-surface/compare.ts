/**
 * What a program that works with one surface would not find in another. Answers may get fields and new values of an
 * enumeration, inputs may get optional fields and take more: whoever wrote the program is not asked to change it.
 */
import {
  type Call,
  type Field,
  type Fields,
  type Kind,
  kindText,
  mergeFields,
  parentOf,
  type Surface,
} from './surface.ts';

/** The named schema that a place comes from, and its place there. */
interface Origin {
  readonly schema: string;
  readonly place: string;
}

/** Places with what named schemas have put in. */
interface Expanded {
  readonly fields: Fields;
  readonly origins: ReadonlyMap<string, Origin>;
  /** The named schemas that begin at a place. */
  readonly begun: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A sentence each, sorted; one that is about a named schema stands once, however many calls use it. */
export function breaksBetween(before: Surface, after: Surface): string[] {
  const breaks = new Set<string>();
  for (const [name, call] of before.calls) {
    const now = after.calls.get(name);
    if (!now) {
      breaks.add(`${name} is gone`);
      continue;
    }
    if (call.isPublic && !now.isPublic) breaks.add(`${name} needs a caller`);
    for (const text of breaksOfCall(name, [expandedCall(before, call), expandedCall(after, now)])) breaks.add(text);
  }
  return [...breaks].sort();
}

function breaksOfCall(name: string, [before, after]: readonly [Expanded, Expanded]): string[] {
  const breaks: string[] = [];
  // Of the schema, unless the call has gone over to another one.
  const whereOf = (place: string, of: Expanded, other: Expanded, known = place): string => {
    const origin = of.origins.get(place);
    const isShared =
      origin && (other.origins.get(known)?.schema === origin.schema || other.begun.get(known)?.has(origin.schema));
    return isShared ? `@${origin.schema}${origin.place}` : `${name} ${place}`;
  };
  for (const [place, field] of before.fields) {
    const now = after.fields.get(place);
    if (now) {
      for (const what of breaksOfField(place, field, now)) breaks.push(`${whereOf(place, before, after)} ${what}`);
    } else if (isTopmost(place, before.fields, after.fields)) {
      const where = whereOf(place, before, after, parentOf(place));
      breaks.push(`${where} ${isInput(place) ? 'is not read' : 'is gone'}`);
    }
  }
  for (const [place, { isOptional }] of after.fields) {
    if (!isInput(place) || isOptional || before.fields.has(place)) continue;
    const parent = parentOf(place);
    // Within what is new itself, it is that which must be there or not.
    if (before.fields.has(parent) || !after.fields.has(parent))
      breaks.push(`${whereOf(place, after, before, parent)} must be there`);
  }
  return breaks;
}

const isInput = (place: string): boolean => /^(?:path|query|header|body)\b/.test(place);

/** Whether what it was part of is still there, and does not take anything now. */
function isTopmost(place: string, before: Fields, after: Fields): boolean {
  const parent = parentOf(place);
  if (!before.has(parent)) return true;
  const now = after.get(parent);
  return now !== undefined && !(isInput(place) && now.kinds.some(({ base }) => base === 'any'));
}

function breaksOfField(place: string, before: Field, after: Field): string[] {
  const input = isInput(place);
  const breaks: string[] = [];
  if (before.isOptional !== after.isOptional && before.isOptional === input)
    breaks.push(input ? 'must be there' : 'may be missing');
  const [narrow, wide] = input ? [before, after] : [after, before];
  for (const kind of narrow.kinds)
    if (!wide.kinds.some((one) => isCovered(kind, one, input)))
      breaks.push(`${input ? 'does not take' : 'may be'} ${kindText(input ? kind : { ...kind, limits: [] })}`);
  return breaks;
}

function isCovered(narrow: Kind, wide: Kind, input: boolean): boolean {
  if (wide.base === 'any') return true;
  if (narrow.base === wide.base) return !input || wide.limits.every((limit) => isWithin(narrow.limits, limit));
  if (narrow.base.startsWith('"')) return wide.base === 'string' || (!input && wide.base.startsWith('"'));
  if (narrow.base.startsWith('string:')) return wide.base === 'string';
  if (/^-?\d/.test(narrow.base)) return wide.base === 'number' || wide.base === 'integer';
  if (narrow.base === 'true' || narrow.base === 'false') return wide.base === 'boolean';
  return narrow.base === 'integer' && wide.base === 'number';
}

function isWithin(limits: readonly string[], limit: string): boolean {
  const [, name = '', sign = '', value = ''] = /^(\w*)([<>]=?)(.+)$/.exec(limit) ?? [];
  if (limits.includes(limit) || sign === '') return limits.includes(limit);
  const own = limits.find((one) => one.startsWith(name + sign) && !one.slice((name + sign).length).startsWith('='));
  if (own === undefined) return false;
  const difference = Number(own.slice((name + sign).length)) - Number(value);
  return sign.startsWith('<') ? difference <= 0 : difference >= 0;
}

function expandedCall({ schemas }: Surface, { fields }: Call): Expanded {
  const origins = new Map<string, Origin>();
  const begun = new Map<string, Set<string>>();
  const expand = (part: Fields, at: string, chain: readonly string[]): Fields => {
    const schema = chain.at(-1);
    const expanded = new Map<string, Field>();
    for (const [place, { kinds, isOptional }] of part) {
      const here = at + place;
      if (schema !== undefined && !origins.has(here)) origins.set(here, { schema, place });
      const variants = kinds.map((kind): Fields => {
        if (!kind.base.startsWith('@')) return new Map([[here, { kinds: [kind], isOptional }]]);
        const named = kind.base.slice(1);
        const found = schemas.get(named);
        // What is within itself again is the same again.
        if (!found || chain.includes(named))
          return new Map([[here, { kinds: [{ base: 'object', limits: [] }], isOptional }]]);
        begun.set(here, (begun.get(here) ?? new Set()).add(named));
        const inner = expand(found, here, [...chain, named]);
        const own = inner.get(here);
        return own ? new Map([...inner, [here, { ...own, isOptional }]]) : inner;
      });
      for (const [key, field] of mergeFields(variants)) {
        const known = expanded.get(key);
        expanded.set(key, known ? { ...field, kinds: [...known.kinds, ...field.kinds] } : field);
      }
    }
    return expanded;
  };
  return { fields: expand(fields, '', []), origins, begun };
}
