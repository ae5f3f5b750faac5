/** Lists come in pages, whose `Link` header has the cursor of the next one. */
import type { Client, FetchOptions } from 'openapi-fetch';
import type { paths } from './schema.ts';

type Gets = { [P in keyof paths]: paths[P] extends { get: { responses: unknown } } ? P : never }[keyof paths];
type Get<P extends Gets> = paths[P] extends { get: infer Operation } ? Operation : never;
type Answer<P extends Gets> =
  Get<P> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;
/** Operations whose answer is a list and that take a cursor. */
type Lists = {
  [P in Gets]: Get<P> extends { parameters: { query?: { cursor?: string } } }
    ? Answer<P> extends readonly unknown[]
      ? P
      : never
    : never;
}[Gets];

export type Pages = <P extends Lists>(
  path: P,
  options: FetchOptions<Get<P>>,
) => AsyncGenerator<Answer<P>[number & keyof Answer<P>], void, undefined>;

interface Page {
  readonly data?: unknown;
  readonly response: Response;
}

export const pagesOf = (client: Client<paths>): Pages => {
  // The signature above says which paths have pages, and what is in them; inside it is only passed on.
  const get = (path: string, options: object): Promise<Page> => client.GET(path as never, options as never);
  return async function* pages(path, options) {
    const { params = {}, ...rest } = options as { params?: { query?: object } };
    for (let cursor: string | undefined; ;) {
      const query = { ...params.query, ...(cursor !== undefined && { cursor }) };
      const { data, response } = await get(path, { ...rest, params: { ...params, query } });
      yield* data as never[];
      cursor = nextCursor(response.headers.get('link'));
      if (cursor === undefined) return;
    }
  };
};

/** Of `<…>; rel="next"; results="true"; cursor="…"`. */
export function nextCursor(header: string | null): string | undefined {
  for (const part of (header ?? '').split(/,\s*(?=<)/)) {
    const attribute = (name: string): string | undefined => new RegExp(`;\\s*${name}="([^"]*)"`).exec(part)?.[1];
    if (attribute('rel') === 'next' && attribute('results') === 'true') return attribute('cursor');
  }
  return undefined;
}
