/** When a receiver asks to be tried again: seconds, or a date. Undefined for what is neither. */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
