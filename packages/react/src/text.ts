/** The words of the load-failure screen, the same on a server, before React and in React. */

export interface Failure {
  /** Host name without port; empty where there is none. */
  readonly host?: string | undefined;
  /** Of the server's error, without a suffix; with it the text says that the server failed. */
  readonly digest?: string | undefined;
}

/**
 * `Application error: a server-side exception has occurred while loading {host} (see the server logs for more
 * information).` when a digest is known, else the same of the client and the browser console.
 */
export function failureText({ host, digest }: Failure): string {
  return `Application error: a ${digest ? 'server' : 'client'}-side exception has occurred${
    host ? ` while loading ${host}` : ''
  } (see the ${digest ? 'server logs' : 'browser console'} for more information).`;
}

/** `Digest: {digest}`, the line beneath. */
export function digestLine(digest: string | undefined): string | undefined {
  return digest && `Digest: ${digest}`;
}
