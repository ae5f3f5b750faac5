/** Cursors and Link headers in the form of Sentry's API: `value:offset:isPrevious`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import type { Cursor, Page } from '../../domains/issues/index.ts';

/** Undefined for the first page, which an empty cursor asks for as well. */
export function parseCursor(text: string | undefined): Cursor | undefined {
  if (!text) return undefined;
  // No offset and no id is longer, and the databases refuse what is.
  const match = /^(\d{1,15}):(\d{1,9}):([01])$/.exec(text);
  if (!match) throw new CodedError('CURSOR_INVALID');
  const cursor = { value: Number(match[1]), offset: Number(match[2]), previous: match[3] === '1' };
  return cursor.value === 0 && cursor.offset === 0 ? undefined : cursor;
}

const print = ({ value, offset, previous }: Cursor): string => `${value}:${offset}:${previous ? 1 : 0}`;

/** Sets the Link header of a page. Both links always stand there; `results` says whether there is anything. */
export function linkPages(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
  page: Pick<Page<unknown>, 'next' | 'previous'>,
): void {
  linkCursors(request, reply, baseUrl, {
    next: page.next && print(page.next),
    previous: page.previous && print(page.previous),
  });
}

/** The same with cursors as text, for lists whose places are no numbers. */
export function linkCursors(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
  page: { readonly next: string | undefined; readonly previous: string | undefined },
): void {
  const url = new URL(request.url, baseUrl || 'http://localhost');
  const link = (rel: 'previous' | 'next', cursor: string | undefined): string => {
    const text = cursor ?? print({ value: 0, offset: 0, previous: rel === 'previous' });
    url.searchParams.set('cursor', text);
    return `<${url.href}>; rel="${rel}"; results="${cursor ? 'true' : 'false'}"; cursor="${text}"`;
  };
  void reply.header('link', `${link('previous', page.previous)}, ${link('next', page.next)}`);
}

/** Pages of a list that is at hand as a whole, or of which `limit + 1` rows from the offset on were read. */
export function pageOf<T>(rows: readonly T[], cursor: Cursor | undefined, limit: number): Page<T> {
  const offset = cursor?.offset ?? 0;
  return {
    rows: rows.slice(0, limit),
    next: rows.length > limit ? { value: 0, offset: offset + limit, previous: false } : undefined,
    previous: offset > 0 ? { value: 0, offset: Math.max(0, offset - limit), previous: true } : undefined,
  };
}
