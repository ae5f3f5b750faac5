/** The operations of an OpenAPI document, as far as the explorer shows them. Trusts the document, which is our server's. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: { readonly recorded?: { readonly value: unknown } };
}
type Content = Readonly<Record<string, Media>>;

interface RawOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-token-scopes'?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
    readonly example?: string | readonly string[];
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
  readonly example: string;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

export interface Recorded {
  /** As it stands in the document: `200`, `4XX`. */
  readonly status: string;
  readonly isRefusal: boolean;
  readonly text: string | undefined;
  readonly isJson: boolean;
}

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly tokenScopes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly fields: readonly Field[]; readonly example: string } | undefined;
  readonly response: Recorded;
}

const pretty = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
/** Descriptions are written for a page of Markdown. */
const plain = (text: string): string => text.replaceAll('`', '');
const exampleOf = ({ examples }: Media): unknown => examples?.recorded?.value;

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, raw]) => read(document, path, method, raw)))
    .toSorted((a, b) => a.tag.localeCompare(b.tag) || a.path.localeCompare(b.path));
}

function read(document: Document, path: string, method: string, raw: RawOperation): Operation {
  const media = Object.values(raw.requestBody?.content ?? {})[0];
  const request = media && exampleOf(media);
  return {
    id: raw.operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    tag: raw.tags?.[0] ?? '',
    summary: raw.summary ?? raw.operationId,
    // What it needs is shown by itself.
    description: plain((raw.description ?? '').replace(/(?:^|\n\n)Needs [^\n]*\.$/, '')),
    scopes: raw['x-scopes'] ?? [],
    tokenScopes: raw['x-token-scopes'] ?? [],
    parameters: (raw.parameters ?? []).flatMap((one) =>
      one.in === 'path' || one.in === 'query'
        ? [
            {
              name: one.name,
              in: one.in,
              required: one.required ?? false,
              type: typeOf(document, one.schema),
              description: plain(one.description ?? one.schema.description ?? ''),
              example: [one.example ?? []].flat().join(','),
            },
          ]
        : [],
    ),
    body: media && {
      fields: fieldsOf(document, media.schema ?? {}),
      example: pretty(request ?? {}),
    },
    response: recordedOf(raw.responses),
  };
}

/** The response that was recorded, else the success that has nothing to show. */
function recordedOf(responses: RawOperation['responses']): Recorded {
  const all = Object.entries(responses).map(([status, { content }]) => {
    const [type = '', media = {}] = Object.entries(content ?? {})[0] ?? [];
    const value = exampleOf(media);
    return {
      status,
      isRefusal: /^[45]/.test(status),
      text: value === undefined ? undefined : pretty(value),
      isJson: /json/.test(type) && typeof value !== 'string',
    };
  });
  const found = all.find(({ text }) => text !== undefined) ?? all.find(({ isRefusal }) => !isRefusal);
  return found ?? { status: '200', isRefusal: false, text: undefined, isJson: false };
}

const resolve = (document: Document, schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

const alternativesOf = (schema: Schema): readonly Schema[] | undefined => schema.anyOf ?? schema.oneOf;

/** In a few words: `string`, `"asc" | "desc"`, `integer[]`. */
export function typeOf(document: Document, given: Schema, depth = 0): string {
  const schema = resolve(document, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const alternatives = alternativesOf(schema);
  if (alternatives)
    return depth > 2 ? 'object' : [...new Set(alternatives.map((one) => typeOf(document, one, depth + 1)))].join(' | ');
  if (schema.type === 'array') {
    const items = schema.items ? typeOf(document, schema.items, depth + 1) : 'any';
    return items.includes(' | ') ? `(${items})[]` : `${items}[]`;
  }
  const name = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' | ') ?? 'any');
  return schema.format && name === 'string' ? `${name} (${schema.format})` : name;
}

/** The fields of a body; those of alternatives together. */
function fieldsOf(document: Document, given: Schema): Field[] {
  const schema = resolve(document, given);
  const parts = [...(alternativesOf(schema) ?? []), ...(schema.allOf ?? [])];
  const own = Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    type: typeOf(document, one),
    required: (schema.required ?? []).includes(name) && one.default === undefined,
    description: plain(one.description ?? resolve(document, one).description ?? ''),
  }));
  const all = [...own, ...parts.flatMap((one) => fieldsOf(document, one))];
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

/** Those with all the words in what they are called, where they stand or what they do. */
export function matching(operations: readonly Operation[], query: string, tag: string): readonly Operation[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((one) => {
    if (tag !== '' && one.tag !== tag) return false;
    const text = `${one.method} ${one.path} ${one.id} ${one.summary} ${one.tag}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
