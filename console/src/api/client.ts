/** The one door to the server: typed by its OpenAPI document, and every refusal becomes an `ApiError`. */
import createClient, { type FetchOptions } from 'openapi-fetch';
import { ApiError, connectionError, toApiError } from './errors.ts';
import type { components, paths } from './schema.d.ts';

export type Schemas = components['schemas'];

type Method = 'get' | 'put' | 'post' | 'delete';
type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Json<R> = R extends { content: { 'application/json': infer Body } } ? Body : undefined;
/** Body of a success. (openapi-fetch's own type loses tuples and fields that are always null.) */
type Body<O> = O extends { responses: infer R }
  ? { [Status in keyof R & (200 | 201 | 202 | 204)]: Json<R[Status]> }[keyof R & (200 | 201 | 202 | 204)]
  : never;

export interface Answer<T> {
  readonly data: T;
  readonly response: Response;
}

const client = createClient<paths>({ credentials: 'same-origin' });

async function send<M extends Method, P extends PathsOf<M>>(
  method: M,
  path: P,
  init: FetchOptions<Operation<P, M>>,
): Promise<Answer<Body<Operation<P, M>>>> {
  // The pairing of path, method and options is checked by the signature above; inside it is only passed on.
  const request = client.request as (
    method: string,
    path: string,
    init: unknown,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  return settle(request(method, path, init)) as Promise<Answer<Body<Operation<P, M>>>>;
}

export const api = {
  get: async <P extends PathsOf<'get'>>(path: P, init: FetchOptions<Operation<P, 'get'>>) =>
    (await send('get', path, init)).data,
  /** With the response, for those who read its headers. */
  getWithResponse: <P extends PathsOf<'get'>>(path: P, init: FetchOptions<Operation<P, 'get'>>) =>
    send('get', path, init),
  put: async <P extends PathsOf<'put'>>(path: P, init: FetchOptions<Operation<P, 'put'>>) =>
    (await send('put', path, init)).data,
  post: async <P extends PathsOf<'post'>>(path: P, init: FetchOptions<Operation<P, 'post'>>) =>
    (await send('post', path, init)).data,
  delete: async <P extends PathsOf<'delete'>>(path: P, init: FetchOptions<Operation<P, 'delete'>>) =>
    (await send('delete', path, init)).data,
};

/** POST to an address that stands outside the OpenAPI document (sessions). */
export async function post(path: string, body: unknown): Promise<void> {
  const sent = fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await settle(sent.then(async (response) => ({ error: await response.json().catch(() => undefined), response })));
}

async function settle(
  answer: Promise<{ data?: unknown; error?: unknown; response: Response }>,
): Promise<Answer<unknown>> {
  let settled: Awaited<typeof answer>;
  try {
    settled = await answer;
  } catch (error) {
    // Leaving a page cancels its questions; that is no trouble with the connection.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    if (error instanceof ApiError) throw error;
    throw connectionError(error);
  }
  if (!settled.response.ok) throw toApiError(settled.response.status, settled.error, settled.response.headers);
  return { data: settled.data, response: settled.response };
}
