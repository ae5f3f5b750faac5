/** The address carries plain texts (`?q=is:unresolved&range=24h`), readable and writable by hand. */
export function parseSearch(search: string): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(search)) {
    if (key !== '__proto__') params[key] = value;
  }
  return params;
}

const keptReadable = /%(?:3A|2F|2C|40|24|21)/g;

export function stringifySearch(params: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  const text = search.toString().replaceAll(keptReadable, (code) => decodeURIComponent(code));
  return text ? `?${text}` : '';
}
