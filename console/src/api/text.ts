/** Answers that are texts, not JSON. */
import { addressOf, type Parameters } from './address-of.ts';
import { connectionError, toApiError } from './errors.ts';
import type { paths } from './schema.d.ts';

export async function getText(path: keyof paths, params: Parameters): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(path, params), { credentials: 'same-origin' });
    text = await response.text();
  } catch (error) {
    throw connectionError(error);
  }
  const isProblem = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  if (!response.ok) throw toApiError(response.status, isProblem ? JSON.parse(text) : undefined, response.headers);
  return text;
}
