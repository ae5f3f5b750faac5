/**
 * The path to which an SDK (11 and later) with `tunnel: true` sends: 32 bit FNV-1a of the DSN without its secret, in
 * base 36. `dsn` as the SDK was given it.
 */
export function managedPath(dsn: string): string {
  const text = dsn.trim().replace(/^(https?:\/\/[^:@/]+):[^@/]*@/, '$1@');
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `/${(hash >>> 0).toString(36)}`;
}
