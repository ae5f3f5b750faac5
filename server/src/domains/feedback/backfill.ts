/** What was kept before there was a place for it: read once, when a store from earlier is opened. */
import type { Job } from '../../base/jobs/index.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events } from '../../ports/events/events.ts';
import type { ItemRow } from '../../base/tables/items.ts';
import type { State } from '../../ports/state/state.ts';
import { feedbackItems } from './read.ts';
import { recordFeedback } from './record.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

const done = 'feedback.backfilled';
const pageRows = 1_000;
const maxRows = 50_000;

/** Repeating it changes nothing. Returns how many were looked at; 0 when it was done before. */
export async function backfillFeedback(stores: {
  readonly state: State;
  readonly events: Events;
  readonly blobs: Blobs;
}): Promise<number> {
  const { state, events, blobs } = stores;
  const before = await state.db.selectFrom('setting').select('value').where('name', '=', done).executeTakeFirst();
  if (before) return 0;
  let offset = 0;
  for (let more = true; more && offset < maxRows;) {
    const rows = await events.query<ItemRow>(
      `SELECT project_id, toUnixTimestamp64Milli(received_at) AS received_at, item_type, category, outcome, reason, detail,
         event_id, headers, size_bytes, payload, blob_key
       FROM items WHERE item_type IN {types:Array(String)} AND outcome = 'accepted'
       ORDER BY items.received_at DESC, project_id, event_id LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { types: [...feedbackItems], limit: pageRows, offset },
    );
    await recordFeedback(stores, rows, async ({ blob_key: key }) => new TextDecoder().decode(await blobs.get(key)));
    offset += rows.length;
    more = rows.length === pageRows;
  }
  await state.db
    .insertInto('setting')
    .values({ name: done, value: 'true' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return offset;
}

/** Once, for as long as it has not succeeded. */
export const createBackfill = (stores: Parameters<typeof backfillFeedback>[0]): Job => ({
  name: 'feedback-backfill',
  title: jobTexts.feedbackBackfill.title,
  nodes: 'one',
  everyMs: 86_400_000,
  needsEvents: true,
  failed: jobTexts.feedbackBackfill.failed,
  async run() {
    await backfillFeedback(stores);
  },
});
