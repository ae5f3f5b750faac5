/** What a pasted text is before the server has read it: whether it is worth asking at once, and a form that fits in an address. */

/** Characters that go into the address: encoded at worst ninefold, they stay below what servers take as one request line. */
const most = 1200;
const marks =
  /\b(?:digest|error)\b[\s:="']{0,5}\d{1,10}(?:@E\d{1,9})?|\b[0-9a-f]{32}(?:-[0-9a-f]{16})?\b|https?:\/\/[^\s"'<>]{1,300}/gi;

/** Lines of stack traces. The error stands first in most languages and last in Python, so both ends tell. */
const calls = /^[ \t]{0,12}(?:at |File "|from |#\d{1,3} |\d{1,4}: )|\.(?:go|rb|exs?):\d/m;

/** The text as it is asked for: trimmed, and when it is long its beginning with whatever in the rest names something. */
export function askable(text: string): string {
  const whole = text.toWellFormed().replaceAll('\0', '').trim();
  if (whole.length <= most) return whole;
  if (calls.test(whole.slice(0, 65_536))) return endsOf(whole);
  const head = whole.slice(0, most / 2).toWellFormed();
  const found = whole.slice(most / 2, 65_536).match(marks) ?? [];
  return `${head}\n${[...new Set(found)].join('\n')}`.slice(0, most).toWellFormed().trim();
}

/** Whole lines of both ends. */
function endsOf(text: string): string {
  const head = text.slice(0, most / 2);
  const tail = text.slice(1 - most / 2);
  const lines = [head.slice(0, head.lastIndexOf('\n')), tail.slice(tail.indexOf('\n') + 1)];
  return lines.join('\n').toWellFormed();
}

const failure =
  /\bdigest\b[\s:="']{0,5}\d|\bERROR\s\d{3,10}\b|^\d{6,10}(?:@E\d{1,9})?$|^[0-9a-f]{32}$|^[0-9a-f]{16}$|\b[0-9a-f]{32}-[0-9a-f]{16}\b|\bapplication error:|\bpage couldn.t load/i;

/** True for the text or number of an error page, and for ids: in a search for words it would find nothing. */
export function namesFailure(text: string): boolean {
  return failure.test(text.slice(0, 65_536).trim());
}

/** True for what nobody types as a command: several lines, a sentence, an address, a number or id. Such a paste is asked at once. */
export function isTelling(text: string): boolean {
  const trimmed = text.trim();
  return (
    trimmed.includes('\n') ||
    trimmed.length > 60 ||
    /:\/\//.test(trimmed) ||
    /\d{5}/.test(trimmed) ||
    /^[0-9a-f-]{16,36}$/i.test(trimmed) ||
    /^[a-z][\w-]{0,80}-\d+$/i.test(trimmed)
  );
}
