/**
 * What a program can rely on of an API: its calls, the places of their inputs and answers, and which values may stand
 * there. Made of an OpenAPI document, kept as text of a line a place:
 *
 *     GET /organizations/{org}/tags/
 *       query.limit? integer(>=1;<=100)
 *       200[] @Tag
 *     @Tag
 *       .kind "browser" "custom"
 */

/** One kind of value: its base (`string`, `string:date-time`, `"a"`, `@Name`, `any`), and the limits of what is sent. */
export interface Kind {
  readonly base: string;
  readonly limits: readonly string[];
}

/** What may stand at a place. */
export interface Field {
  readonly kinds: readonly Kind[];
  readonly isOptional: boolean;
}

/** By place: `query.limit`, `body.name`, `200[].id`; in named schemas from the schema on. */
export type Fields = ReadonlyMap<string, Field>;

export interface Call {
  /** Answered without a caller. */
  readonly isPublic: boolean;
  readonly fields: Fields;
}

export interface Surface {
  /** By method and path. */
  readonly calls: ReadonlyMap<string, Call>;
  readonly schemas: ReadonlyMap<string, Fields>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly [limit: string]: unknown;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const limitSigns: Readonly<Record<string, string>> = {
  minimum: '>=',
  exclusiveMinimum: '>',
  maximum: '<=',
  minLength: 'length>=',
  maxLength: 'length<=',
  minItems: 'items>=',
  maxItems: 'items<=',
  pattern: 'pattern=',
};
const limitsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  integer: ['minimum', 'exclusiveMinimum', 'maximum'],
  number: ['minimum', 'exclusiveMinimum', 'maximum'],
  array: ['minItems', 'maxItems'],
};

/** Spaces stand between kinds, semicolons between limits. */
const escaped = (text: string): string =>
  text.replaceAll(/[\s;]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

function kindsOf(schema: Schema): Kind[] {
  if (schema.$ref !== undefined) return [{ base: `@${schema.$ref.replace(/.*\//, '')}`, limits: [] }];
  if ('const' in schema || schema.enum) {
    const values = schema.enum ?? [schema.const];
    return values.map((value) => ({ base: escaped(JSON.stringify(value)), limits: [] }));
  }
  if (schema.type === undefined) return [{ base: 'any', limits: [] }];
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return types.map((type) => ({
    base: type === 'string' && schema.format !== undefined ? `string:${schema.format}` : type,
    limits: (limitsOf[type] ?? [])
      .filter((key) => schema[key] !== undefined && (key !== 'pattern' || schema.format === undefined))
      .map((key) => `${limitSigns[key]}${escaped(String(schema[key]))}`),
  }));
}

const step = (name: string): string => (/^[\w$-]+$/.test(name) ? `.${name}` : `[${escaped(JSON.stringify(name))}]`);

/** The property by whose value the variants of a union are told apart. */
function discriminatorOf(variants: readonly Schema[]): string | undefined {
  const [first] = variants;
  if (variants.length < 2) return undefined;
  return Object.keys(first?.properties ?? {}).find((name) =>
    variants.every(({ properties }) => properties?.[name] !== undefined && 'const' in properties[name]),
  );
}

/** Of variants that stand at one place: what one of them has not is optional where the others are. */
export function mergeFields(variants: readonly Fields[]): Map<string, Field> {
  const merged = new Map<string, Field>();
  for (const place of new Set(variants.flatMap((fields) => [...fields.keys()]))) {
    const found = variants.flatMap((fields) => fields.get(place) ?? []);
    const parent = parentOf(place);
    const isMissing = variants.some((fields) => !fields.has(place) && fields.get(parent)?.kinds.some(isObject));
    const kinds = new Map(found.flatMap((field) => field.kinds).map((kind) => [kindText(kind), kind]));
    merged.set(place, {
      kinds: [...kinds.values()],
      isOptional: isMissing || found.some(({ isOptional }) => isOptional),
    });
  }
  return merged;
}

const isObject = ({ base }: Kind): boolean => base === 'object';

/** The place that a place is part of: `body` of `body.name`, '' of `body`. */
export const parentOf = (place: string): string =>
  place.replace(/(?:\.[\w$-]+|\[[^\]]*\]|\{\}|<[^>]*>|^\w+(?:\([^)]*\))?)$/, '');

function fieldsOf(schema: Schema, place: string, isOptional = false): Map<string, Field> {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) {
    const discriminator = discriminatorOf(variants);
    const parts = variants.map((variant) => {
      if (discriminator === undefined) return fieldsOf(variant, place, isOptional);
      const value = JSON.stringify(variant.properties?.[discriminator]?.const);
      const own = fieldsOf(variant, `${place}<${discriminator}=${escaped(value)}>`, isOptional);
      return new Map([...own, [place, { kinds: [{ base: 'object', limits: [] }], isOptional }]]);
    });
    return mergeFields(parts);
  }
  const fields = new Map<string, Field>([[place, { kinds: kindsOf(schema), isOptional }]]);
  const add = (part: Schema, at: string, isPartOptional = false): void => {
    for (const [key, field] of fieldsOf(part, at, isPartOptional)) fields.set(key, field);
  };
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    add(part, place + step(name), !schema.required?.includes(name));
  if (typeof schema.additionalProperties === 'object') add(schema.additionalProperties, `${place}{}`, true);
  if (schema.items) add(schema.items, `${place}[]`);
  for (const [index, part] of (schema.prefixItems ?? []).entries()) add(part, `${place}[${index}]`);
  return fields;
}

function contentFields(content: Content | undefined, place: string, isOptional: boolean): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const [type, { schema = {} }] of Object.entries(content ?? {})) {
    const at = type === 'application/json' ? place : `${place}(${type})`;
    for (const [key, field] of fieldsOf(schema, at, isOptional)) fields.set(key, field);
  }
  return fields;
}

function callOf({ parameters = [], requestBody, responses, security }: Operation): Call {
  const fields = new Map<string, Field>();
  for (const { in: where, name, required = false, schema } of parameters)
    for (const [key, field] of fieldsOf(schema, where + step(name), !required)) fields.set(key, field);
  for (const [key, field] of contentFields(requestBody?.content, 'body', !(requestBody?.required ?? false)))
    fields.set(key, field);
  for (const [status, { content }] of Object.entries(responses)) {
    // Refusals are alike everywhere.
    if (!status.startsWith('2')) continue;
    const answer = contentFields(content, status, false);
    if (!answer.size) fields.set(status, { kinds: [{ base: 'nothing', limits: [] }], isOptional: false });
    for (const [key, field] of answer) fields.set(key, field);
  }
  return { isPublic: security?.length === 0, fields };
}

/** How the place of a named schema itself is written. */
const whole = '=';

/** What refusals are made of, wherever they come from. */
const refusal = 'Problem';

export function surfaceOf({ paths, components }: Document): Surface {
  const calls = new Map<string, Call>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      calls.set(`${method.toUpperCase()} ${path.replace('/api/0', '')}`, callOf(operation));
  const schemas = new Map(Object.entries(components.schemas).map(([name, schema]) => [name, fieldsOf(schema, '')]));
  if (schemas.has(refusal)) {
    const field = { kinds: [{ base: `@${refusal}`, limits: [] }], isOptional: false };
    calls.set('every call', { isPublic: true, fields: new Map([['refusal', field]]) });
  }
  return { calls, schemas };
}

export const kindText = ({ base, limits }: Kind): string => base + (limits.length ? `(${limits.join(';')})` : '');

/** In the order of the alphabet, so that a difference is a change. */
export function toText({ calls, schemas }: Surface): string {
  const linesOf = (fields: Fields): string[] =>
    [...fields]
      .map(([place, { kinds, isOptional }]) => {
        const texts = kinds.map(kindText).sort();
        return `  ${place || whole}${isOptional ? '?' : ''} ${texts.join(' ')}`;
      })
      .sort();
  const blocks = [
    ...[...calls].map(([name, { isPublic, fields }]) => [`${name}${isPublic ? ' public' : ''}`, ...linesOf(fields)]),
    ...[...schemas].map(([name, fields]) => [`@${name}`, ...linesOf(fields)]),
  ];
  return blocks
    .map((lines) => `${lines.join('\n')}\n`)
    .sort()
    .join('');
}

function kindFrom(text: string): Kind {
  const [, base = text, limits] = text.startsWith('"') ? [] : (/^([^(]+)(?:\((.*)\))?$/.exec(text) ?? []);
  return { base, limits: limits === undefined ? [] : limits.split(';') };
}

/** The reverse of `toText`; lines that begin with # say something to people. */
export function fromText(text: string): Surface {
  const calls = new Map<string, Call>();
  const schemas = new Map<string, Fields>();
  let fields = new Map<string, Field>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith('  ')) {
      fields = new Map();
      if (line.startsWith('@')) schemas.set(line.slice(1), fields);
      else calls.set(line.replace(/ public$/, ''), { isPublic: line.endsWith(' public'), fields });
      continue;
    }
    const [place = '', ...kinds] = line.slice(2).split(' ');
    const name = place.replace(/\?$/, '');
    fields.set(name === whole ? '' : name, { kinds: kinds.map(kindFrom), isOptional: place.endsWith('?') });
  }
  return { calls, schemas };
}
