/** Which part of a message takes part. */

/** Longer messages are cut: what tells two errors apart stands at the front. */
export const maxParameterized = 8192;

/** The first two lines that are not empty, with `...` where something was left out. */
export function firstLines(text: string): string {
  if (!/[\r\n]/.test(text)) return text.trim();
  const lines: string[] = [];
  let rest = text.slice(0, maxParameterized * 2);
  while (rest !== '' && lines.length < 2) {
    const end = rest.search(/[\r\n]/);
    const line = (end < 0 ? rest : rest.slice(0, end)).trim();
    if (line !== '') lines.push(line);
    rest = end < 0 ? '' : rest.slice(end + 1);
  }
  const kept = lines.join('\n');
  return kept === text.trim() ? kept : `${kept}...`;
}

/** Scrubbing hides addresses in exception values; they group as they did when they were kept: by the placeholder. */
export function asSent(value: string): string {
  return value.includes('[') ? value.replaceAll('[email]', '<email>').replaceAll('[ip]', '<ip>') : value;
}
