/**
 * The load-failure screen as a whole HTML document, for a server that could not render anything else. No React, no DOM;
 * it needs no script, no stylesheet and no further request.
 */
import { inlineScript, inlineStyle } from './html-extras.ts';
import { parseDigest } from './parse-digest.ts';
import { digestLine, failureText } from './text.ts';

export { loadFailureCsp } from './html-extras.ts';

export interface LoadFailurePage {
  /** Host name of the request; a port is left out, and so is what cannot be a host name. */
  readonly host: string;
  /** Of the error in the server's log; without one the text points at the browser console. */
  readonly digest?: string | undefined;
  /** Of the report about this failure: 32 hexadecimal digits, with or without dashes. */
  readonly eventId?: string | undefined;
  /** Language tag of the document. */
  readonly lang?: string | undefined;
  /**
   * Adds a style, a script that adds the Copy button, and an empty icon, so that the browser asks for none. Only for pages
   * without a content security policy, or with the sources of `loadFailureCsp` in it: elsewhere the browser would complain.
   */
  readonly inline?: boolean | undefined;
}

/** A complete document, to be sent as `text/html; charset=utf-8` with the status of the failure. Everything is escaped. */
export function loadFailureHtml({ host, digest, eventId, lang, inline }: LoadFailurePage): string {
  const known = parseDigest(digest);
  const message = failureText({ host: hostName(host), digest: known });
  const number = digestLine(known);
  const language = /^[a-z]{1,8}(-[a-z0-9]{1,8}){0,8}$/i.test(lang ?? '') ? lang : 'en';
  const event = /^[0-9a-f-]{16,64}$/i.test(eventId ?? '') ? eventId : undefined;
  return `<!doctype html>
<html lang="${escapeHtml(language ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Application error</title>${inline ? `\n<link rel="icon" href="data:,">\n<style>${inlineStyle}</style>` : ''}
</head>
<body>
<main>
<div role="alert">
<h1>${escapeHtml(message)}</h1>${number ? `\n<p>${escapeHtml(number)}</p>` : ''}
</div>${event ? `\n<p>Event ID: <code>${escapeHtml(event)}</code></p>` : ''}
<p><a href="">Try again</a></p>
</main>${inline ? `\n<script>${inlineScript}</script>` : ''}
</body>
</html>
`;
}

/** A `Host` header is written by whoever asks: only what can be a host name is repeated. */
function hostName(host: string): string | undefined {
  return /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i.exec(host)?.[1];
}

function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[character] ?? '#39'};`,
  );
}
