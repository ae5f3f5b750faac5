/**
 * The examples of the API's document: what real calls sent and were answered, recorded by `scripts/record-examples.ts`.
 * They are read when the document is asked for; the types of the console and of the client are made without them.
 */
import { readFile } from 'node:fs/promises';
import { openApiDocument } from './openapi.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Example {
  /** Of the operation. */
  readonly id: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly request?: unknown;
  /** 400 and above where only a mail, a device or another server could make a success of it. */
  readonly status: number;
  readonly response?: unknown;
}

export async function readExamples(): Promise<readonly Example[]> {
  const text = await readFile(new URL('./examples.jsonl', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Example);
}

interface Media {
  readonly content?: Readonly<Record<string, Json>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Json & { readonly name: string; readonly in: string })[];
  readonly requestBody?: Media & Json;
  readonly responses: Readonly<Record<string, Media & Json>>;
}

/** In the first content type, which is the one that is answered. */
function inMedia<M extends Media>(media: M, value: unknown): M {
  const [first] = Object.entries(media.content ?? {});
  if (!first || value === undefined) return media;
  const [type, given] = first;
  return { ...media, content: { ...media.content, [type]: { ...given, examples: { recorded: { value } } } } };
}

/** Refusals share a response for all of their kind. */
const responseOf = (status: number): string => (status < 400 ? String(status) : `${Math.floor(status / 100)}XX`);

export function withExample(operation: Operation, example: Example): Operation {
  const { parameters, requestBody, responses } = operation;
  const name = responseOf(example.status);
  const response = responses[name];
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => {
        const value = (one.in === 'path' ? example.params : example.query)?.[one.name];
        return value === undefined ? one : { ...one, example: value };
      }),
    }),
    ...(requestBody && { requestBody: inMedia(requestBody, example.request) }),
    responses: { ...responses, ...(response && { [name]: inMedia(response, example.response) }) },
  };
}

export async function documentWithExamples(): Promise<Json> {
  const [document, examples] = await Promise.all([openApiDocument(), readExamples()]);
  const byId = new Map(examples.map((one) => [one.id, one]));
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const shown = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const example = byId.get(operation.operationId);
        return [method, example ? withExample(operation, example) : operation];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(shown) as unknown };
}
