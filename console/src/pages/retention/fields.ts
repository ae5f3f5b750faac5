/** What stands in the fields of the form, and what is sent of it. Pure. */
import type { Retention, RetentionClass, RetentionUpdate } from '../../features/retention/queries.ts';

type Name = RetentionClass['name'];

export interface Fields {
  /** Whole numbers; '' for what the configuration says. */
  readonly days: Readonly<Record<Name, string>>;
  /** Gigabytes; '' for no limit. */
  readonly sizes: Readonly<Record<Name, string>>;
}

const gigabyte = 1e9;
const leastBytes = 2 ** 20;
const mostDays = 3650;

export const daysIn = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= mostDays ? days : undefined;
};

export const bytesIn = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  const bytes = Math.round(Number(text) * gigabyte);
  return Number.isSafeInteger(bytes) && bytes >= leastBytes ? bytes : undefined;
};

const textOf = (value: number | null): string => (value === null ? '' : String(value));

export function fieldsOf({ classes }: Pick<Retention, 'classes'>): Fields {
  const each = (text: (one: RetentionClass) => string) =>
    Object.fromEntries(classes.map((one) => [one.name, text(one)])) as Record<Name, string>;
  return {
    days: each(({ days }) => textOf(days)),
    sizes: each(({ limitBytes }) => textOf(limitBytes === null ? null : limitBytes / gigabyte)),
  };
}

/** Undefined while a field has something else than a number. */
export function updateOf({ days, sizes }: Fields): RetentionUpdate | undefined {
  const classes = [];
  for (const name of Object.keys(days) as Name[]) {
    const [kept, limitBytes] = [daysIn(days[name]), bytesIn(sizes[name])];
    if (kept === undefined || limitBytes === undefined) return undefined;
    classes.push({ name, days: kept, limitBytes });
  }
  return { classes };
}
