const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** Where the reader is: `02:10` of today, `18 Nov, 02:10` of this year, else `18 Nov 2024`. */
export function sinceText(at: number, now: number): string {
  if (!Number.isFinite(at)) return 'unknown time';
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return clock.format(at);
  return (then.getFullYear() === today.getFullYear() ? day : year).format(at);
}
