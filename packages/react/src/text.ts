/** The words of the load-failure screen, the same on a server, before React and in React. */
import { parseDigest } from './parse-digest.ts';

export interface Failure {
  /** Where the page came from; a port is left out, and a name that is none too. */
  readonly host?: string | undefined;
  /** Of the server's error; with it the text says that the server failed. */
  readonly digest?: string | undefined;
}

/**
 * `Application error: a server-side exception has occurred while loading {host} (see the server logs for more
 * information).` when a digest is known, else the same of the client and the browser console.
 */
export function failureText({ host, digest }: Failure): string {
  const server = parseDigest(digest) !== undefined;
  const name = hostName(host);
  return (
    `Application error: a ${server ? 'server' : 'client'}-side exception has occurred` +
    `${name ? ` while loading ${name}` : ''} (see the ${server ? 'server logs' : 'browser console'} for more information).`
  );
}

/** `Digest: {digest}`, the line beneath. */
export function digestLine(digest: string | undefined): string | undefined {
  const number = parseDigest(digest);
  return number === undefined ? undefined : `Digest: ${number}`;
}

/** A `Host` header is written by whoever asks: only what can be a host name is repeated. */
function hostName(host: string | undefined): string | undefined {
  return /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i.exec(host ?? '')?.[1];
}
