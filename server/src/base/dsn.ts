/** The address that an SDK is given: `https://<public key>@host/<project id>`. `baseUrl` may have a path. */
export function dsn(baseUrl: string, publicKey: string, projectId: number | string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${publicKey}@${host}${pathname.replace(/\/+$/, '')}/${projectId}`;
}
