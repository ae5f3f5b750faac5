/**
 * Client of the Culprit API. Paths, parameters, bodies and answers are typed by the OpenAPI document of the server, so a
 * call that does not exist does not compile.
 */
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { CulpritError } from './error.ts';
import { type Pages, pagesOf } from './pages.ts';
import { type RetryOptions, retrying } from './retry.ts';
import type { components, paths } from './schema.ts';

export { CulpritError, type Problem } from './error.ts';
export type { RetryOptions } from './retry.ts';
export type { components, paths } from './schema.ts';
/** Bodies by name, as in the OpenAPI document: `Schemas['Issue']`. */
export type Schemas = components['schemas'];

export interface CulpritOptions extends RetryOptions {
  /** Of the server, such as `https://culprit.example.com`. */
  readonly url: string;
  /** An API token; without one, only public operations work. */
  readonly token?: string;
  /** In place of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface CulpritClient extends Omit<Client<paths>, 'use' | 'eject'> {
  /** Items of all pages of a list, which are fetched as they are needed. Throws `CulpritError`. */
  readonly pages: Pages;
}

/**
 * `GET`, `POST`, `PUT` and `DELETE` resolve to `{ data, response }`, and throw `CulpritError` for what the server refuses.
 * Answers 429 and 503, and connections that fail, are tried again: of calls that read, and where the server did nothing.
 */
export function createClient({ url, token, fetch = globalThis.fetch, ...retry }: CulpritOptions): CulpritClient {
  const options: ClientOptions = {
    baseUrl: url.replace(/\/+$/, ''),
    fetch: retrying((request) => fetch(request), retry),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  };
  const client = createFetchClient<paths>(options);
  client.use({
    async onResponse({ response }) {
      if (!response.ok) throw await CulpritError.of(response);
    },
  });
  return Object.assign(client, { pages: pagesOf(client) });
}
