/** The form that `@clickhouse/client` sends when query parameters are too long for a URL: named text parts, no files. */

const maxParts = 1000;

/** Parts by name; undefined when the body is not such a form. */
export function parseForm(body: Buffer, contentType: string): Map<string, string> | undefined {
  const boundary = /^multipart\/form-data\s*;.*boundary="?([^";]{1,200})"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`--${boundary}`);
  const parts = new Map<string, string>();
  let at = body.indexOf(delimiter);
  while (at >= 0 && parts.size < maxParts) {
    const head = at + delimiter.length;
    if (body.toString('latin1', head, head + 2) === '--') return parts;
    const next = body.indexOf(delimiter, head);
    const blank = body.indexOf('\r\n\r\n', head);
    if (next < 0 || blank < 0 || blank > next) return undefined;
    const name = /content-disposition:[^\r\n]*;\s*name="([\w.-]+)"/i.exec(body.toString('latin1', head, blank))?.[1];
    if (name === undefined) return undefined;
    parts.set(name, body.toString('utf8', blank + 4, next - 2));
    at = next;
  }
  return undefined;
}
