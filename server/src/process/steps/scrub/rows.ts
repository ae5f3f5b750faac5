/** Texts of rows that nobody has scrubbed before, by what the records of their tables say of the columns. */
import { itemTable, itemTables } from '../../../base/tables/index.ts';
import type { Columns } from '../../../base/tables/record.ts';
import type { ItemRows } from '../../types.ts';
import { bagLimits } from '../limits.ts';
import { Remarks } from '../remarks.ts';
import { BagCleaner } from './bag.ts';
import { columnFields, scrubFields } from './fields.ts';
import { type ScrubRules, scrubRules, type ScrubSettings } from './rules.ts';

type AnyRow = Record<string, unknown>;
type ScrubRow = (row: AnyRow, rules: ScrubRules) => void;

const scrubbers: ReadonlyMap<string, ScrubRow> = new Map(
  itemTables
    .filter((name) => itemTable(name).scrubbed === 'as row')
    .map((name) => [name, rowScrubber(itemTable(name).columns)]),
);

/** Changes the rows in place. */
export function scrubRows(rows: ItemRows, settings: ScrubSettings): void {
  if (scrubbers.size === 0) return;
  for (const [table, of] of Object.entries(rows)) {
    const scrub = scrubbers.get(table);
    if (scrub) for (const row of of) scrub(row, scrubRules(settings));
  }
}

/** Of rows of a table with these columns. */
export function rowScrubber(columns: Columns): ScrubRow {
  const fields = columnFields<AnyRow>(columns);
  const bags = Object.keys(columns).flatMap((name) => {
    const kind = columns[name]?.replace('?', '');
    return kind === 'text by name' || kind === 'number by name'
      ? [{ name, type: kind === 'text by name' ? 'string' : 'number' }]
      : [];
  });
  return (row, rules) => {
    scrubFields(row, fields, rules);
    for (const { name, type } of bags) {
      const bag = row[name];
      if (typeof bag !== 'object' || bag === null) continue;
      const clean = new BagCleaner(rules, new Remarks()).clean(bag, bagLimits.large) as AnyRow;
      // What was removed for its name stands as null, which is no value of such a column.
      row[name] = Object.fromEntries(Object.entries(clean).filter(([, value]) => typeof value === type));
    }
  };
}
