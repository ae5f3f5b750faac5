/** An IPv4 or IPv6 address, as far as its letters go; keeps whatever else a header may hold out of ours. */
const addressLetters = /^[\da-f.:]{2,45}$/i;

/**
 * The client's address as far as it can be trusted.
 *
 * `peer` is the other end of the connection, where the server knows it. Each proxy adds the address that it saw to the
 * right of `forwardedFor`, so with n trusted proxies the client is the nth entry from the right, and what a client
 * wrote itself is never reached. With fewer entries than that, a request came in past a proxy: then the leftmost.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string,
  trustedProxies: number,
): string | undefined {
  const entries = trustedProxies > 0 ? forwardedFor.slice(-4096).split(',').slice(-trustedProxies) : [];
  const address = entries.map(bare).find((entry) => entry !== '') ?? bare(peer ?? '');
  return addressLetters.test(address) ? address : undefined;
}

/** Without the port, brackets and zone that some proxies write, and IPv4 as IPv4. */
function bare(entry: string): string {
  const text = entry.trim();
  const address =
    /^\[([^\]]*)\]/.exec(text)?.[1] ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
}
