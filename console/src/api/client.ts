/** The one door to the server: typed by its OpenAPI document, and every refusal becomes an `ApiError`. */
import type { FetchOptions } from 'openapi-fetch';
import { connectionError, toApiError } from './errors.ts';
import { addressOf, type Parameters } from './address-of.ts';
import { takeAsked } from './asked.ts';
import { type Held, heldOf, keep } from './known.ts';
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

async function send<M extends Method, P extends PathsOf<M>>(
  method: M,
  path: P,
  init: FetchOptions<Operation<P, M>>,
): Promise<Answer<Body<Operation<P, M>>>> {
  // The pairing of path, method and options is checked by the signature above; inside it is only passed on.
  const { params, body, signal } = init as { params?: Parameters; body?: unknown; signal?: AbortSignal };
  const answer = await request(addressOf(path, params), {
    method: method.toUpperCase(),
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return answer as Answer<Body<Operation<P, M>>>;
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
export async function post<T = unknown>(path: string, body: unknown): Promise<T> {
  const { data } = await request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return data as T;
}

async function request(address: string, init: RequestInit): Promise<Answer<unknown>> {
  let response: Response;
  let data: unknown;
  const held = init.method === 'GET' ? heldOf(address) : undefined;
  try {
    response = await (takeAsked(init, address) ?? fetch(address, withTag(init, held)));
    // The very object that it was, which nobody compares or draws anew.
    if (response.status === 304 && held) return { data: held.data, response };
    // What is no JSON is nobody's answer but a proxy's, or empty.
    const text = await response.text();
    if (/[/+]json\b/.test(response.headers.get('content-type') ?? '')) data = JSON.parse(text);
  } catch (error) {
    // Leaving a page cancels its questions; that is no trouble with the connection.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw connectionError(error);
  }
  if (!response.ok) throw toApiError(response.status, data, response.headers);
  if (init.method === 'GET') keep(address, response.headers.get('etag'), data);
  return { data, response };
}

const withTag = (init: RequestInit, held: Held | undefined): RequestInit => ({
  credentials: 'same-origin',
  ...init,
  ...(held && { headers: { 'if-none-match': held.tag } }),
});
