/**
 * The digest that a production error page shows. It reaches an event in one of four ways: as a tag, inside a context,
 * in the extra data, or (Next.js 15.5 and 16, no user code needed) inside the console breadcrumb written with the event.
 */
import type { Breadcrumb, Event } from './event.ts';
import { asList, asObject, type JsonObject } from './json.ts';
import { isMasked } from './masked.ts';

// Redirects and not-found signals stand in the same property as text: only digits are a digest.
const form = /^(\d{1,20})(?:@E\d{1,6})?$/;

/** Looked into per breadcrumb and bag; nobody logs or attaches so much beside an error. */
const maxEntries = 20;
/** How long before a masked event its own breadcrumb may stand: all masked errors have one text, so time must tell. */
const maxMaskedAge = 2;

/** The digits without their suffix; '' for none. Reads the event before scrubbing, which may cut breadcrumb data. */
export function findDigest(event: Event): string {
  for (const [key, value] of event.tags) {
    if (key !== 'digest') continue;
    const digits = digitsOf(value);
    if (digits !== undefined) return digits;
  }
  return digestInside(event.contexts) ?? fromExtra(event) ?? fromConsole(event) ?? '';
}

/** Of the first object in the bag that has one: `{RangeError: {digest: '1'}}`. */
function digestInside(bag: JsonObject | undefined): string | undefined {
  for (const name in bag) {
    const digits = digitsOf(asObject(bag[name])?.digest);
    if (digits !== undefined) return digits;
  }
  return undefined;
}

/** What people give along: the digest, the error itself, or React's second argument; and the arguments of a captured console call. */
function fromExtra(event: Event): string | undefined {
  const { extra } = event;
  if (!extra) return undefined;
  return digitsOf(extra.digest) ?? digestInside(extra) ?? fromArguments(extra.arguments, event);
}

function fromConsole(event: Event): string | undefined {
  const breadcrumbs = event.breadcrumbs?.values ?? [];
  for (let index = breadcrumbs.length - 1; index >= 0; index--) {
    const breadcrumb = breadcrumbs[index];
    if (breadcrumb?.category !== 'console') continue;
    const digits = fromArguments(asObject(breadcrumb.data)?.arguments, event, (text) =>
      isMasked(text) ? isRecent(breadcrumb, event) : true,
    );
    if (digits !== undefined) return digits;
  }
  return undefined;
}

/** Another error may have been logged meanwhile: only the same message makes it this event's digest. */
const isLogged = (text: string, { exception }: Event): boolean =>
  exception?.values.some(({ value }) => value === text) ?? false;

function fromArguments(
  value: unknown,
  event: Event,
  counts: (text: string) => boolean = () => true,
): string | undefined {
  for (const entry of asList(value)?.slice(0, maxEntries) ?? []) {
    const argument = asObject(entry);
    const digits = argument && digitsOf(argument.digest);
    if (digits === undefined || typeof argument?.message !== 'string') continue;
    if (isLogged(argument.message, event) && counts(argument.message)) return digits;
  }
  return undefined;
}

function isRecent({ timestamp }: Breadcrumb, event: Event): boolean {
  return timestamp !== undefined && Math.abs(event.timestamp - timestamp) <= maxMaskedAge;
}

function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' ? form.exec(value)?.[1] : undefined;
}
