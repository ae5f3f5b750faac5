/**
 * The digest that a Next.js production error page shows. It reaches an event in one of three ways: as a tag, inside a
 * context, or (Next.js 16, no user code needed) inside the console breadcrumb written just before the event.
 */
import type { Event } from './event.ts';
import { asList, asObject } from './json.ts';

// Redirects and not-found signals stand in the same property as text: only digits are a digest.
const form = /^(\d{1,20})(?:@E\d+)?$/;

/** The digits without their suffix; '' for none. Reads the event before scrubbing, which may cut breadcrumb data. */
export function findDigest(event: Event): string {
  for (const [key, value] of event.tags) {
    if (key !== 'digest') continue;
    const digits = digitsOf(value);
    if (digits !== undefined) return digits;
  }
  for (const name in event.contexts) {
    const digits = digitsOf(event.contexts[name]?.digest);
    if (digits !== undefined) return digits;
  }
  return fromConsole(event) ?? '';
}

function fromConsole(event: Event): string | undefined {
  const values = event.exception?.values;
  const breadcrumbs = event.breadcrumbs?.values;
  if (!values || !breadcrumbs) return undefined;
  for (let index = breadcrumbs.length - 1; index >= 0; index--) {
    const breadcrumb = breadcrumbs[index];
    if (breadcrumb?.category !== 'console') continue;
    const list = asList(asObject(breadcrumb.data)?.arguments);
    for (const entry of list?.slice(0, 20) ?? []) {
      const argument = asObject(entry);
      const digits = argument && digitsOf(argument.digest);
      // Another error may have been logged meanwhile: only the same message makes it this event's digest.
      if (digits !== undefined && values.some(({ value }) => value !== undefined && value === argument?.message))
        return digits;
    }
  }
  return undefined;
}

function digitsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' ? form.exec(value)?.[1] : undefined;
}
