/** How the disk filled up, and what was measured last: in the state store, by node. */
import type { State } from '../../ports/state/state.ts';
import { lookBackMs, type Sample } from './forecast.ts';
import type { DiskReport } from './report.ts';

/** Older samples than a forecast asks for. */
const keptMs = 2 * lookBackMs;

export async function noteMeasured(
  state: State,
  node: string,
  report: DiskReport,
  space: { readonly usedBytes: number; readonly freeBytes: number },
): Promise<void> {
  const { at } = report;
  await state.transaction(async (trx) => {
    const sample = { used_bytes: Math.round(space.usedBytes), free_bytes: Math.round(space.freeBytes) };
    await trx
      .insertInto('disk_sample')
      .values({ node, at, ...sample })
      .onConflict((conflict) => conflict.columns(['node', 'at']).doUpdateSet(sample))
      .execute();
    await trx
      .deleteFrom('disk_sample')
      .where('at', '<', at - keptMs)
      .execute();
    const stored = { at, report: JSON.stringify(report) };
    await trx
      .insertInto('disk_report')
      .values({ node, ...stored })
      .onConflict((conflict) => conflict.column('node').doUpdateSet(stored))
      .execute();
  });
}

export async function readSamples({ db }: State, node: string): Promise<Sample[]> {
  const rows = await db
    .selectFrom('disk_sample')
    .select(['at', 'used_bytes'])
    .where('node', '=', node)
    .orderBy('at')
    .execute();
  return rows.map((row) => ({ at: Number(row.at), usedBytes: Number(row.used_bytes) }));
}

export async function readReport({ db }: State, node: string): Promise<DiskReport | undefined> {
  const row = await db.selectFrom('disk_report').select('report').where('node', '=', node).executeTakeFirst();
  return row && (JSON.parse(row.report) as DiskReport);
}
