/** What index.html asked while the scripts were on their way. */

declare global {
  /** By address. */
  var culpritAsked: Record<string, Promise<Response>> | undefined;
}

/** Once: who asks again wants to know what is so then. */
export function takeAsked({ method }: RequestInit, address: string): Promise<Response> | undefined {
  const answer = method === 'GET' ? globalThis.culpritAsked?.[address] : undefined;
  if (answer) delete globalThis.culpritAsked?.[address];
  return answer;
}

/** What nobody took by now is out of date, or not for who is there. */
export function forgetAsked(): void {
  globalThis.culpritAsked = undefined;
}
