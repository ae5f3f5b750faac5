/** The load-failure screen as the server itself shows it, when somebody asked for a page and there is none to give. */
import type { IncomingHttpHeaders } from 'node:http';
import { loadFailureCsp, loadFailureHtml } from '@culprit/react/html';
import type { NotedFailure } from './failures.ts';

const { styleSrc, scriptSrc } = loadFailureCsp;

/** Nothing but the two elements that the page carries in itself. */
export const failurePagePolicy = [
  "default-src 'none'",
  `style-src ${styleSrc}`,
  `script-src ${scriptSrc}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `host` is the Host header as it came; what cannot be a host name is not repeated. */
export function failurePage(host: string, { digest, eventId }: NotedFailure): string {
  return loadFailureHtml({ host, digest, eventId, inline: true });
}

/** Whether the request is for a page that a person will look at; programs accept anything, or JSON. */
export function wantsPage(method: string, headers: IncomingHttpHeaders): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '');
}
