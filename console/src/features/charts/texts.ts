/** What charts say. */
import { pluralForm } from '../../ui/numbers.ts';

export const texts = {
  asTable: 'View as table',
  asChart: 'View as chart',
  table: (title: string): string => `${title}, table`,
  from: 'From',
  nothing: 'No data',
  loading: (title: string): string => `Loading ${title}`,
  releases: 'Releases',
  /** Name of what is read by keys. */
  reader: (title: string): string => `${title}, values`,
  readKeys: 'Arrow keys read values.',
  selectKeys: 'Shift with arrow keys selects a range, Enter applies it, Escape clears it.',
  line: (label: string, last: string, highest: string, time: string): string =>
    `${label}: last ${last}, highest ${highest} at ${time}`,
  none: (noun: string): string => `No ${pluralForm(2, noun)}`,
  counts: (total: string, peak: string, time: string): string => `${total}, peak ${peak} at ${time}`,
} as const;
