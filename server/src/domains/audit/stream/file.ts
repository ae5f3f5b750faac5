/**
 * The file of a host: every entry of every organisation as a line, at least once, in order within an organisation. It is
 * opened by its name for each batch, so that others may move it away.
 */
import { open } from 'node:fs/promises';
import type { Job } from '../../../base/jobs/index.ts';
import { createAlarm } from '../../../base/jobs/index.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';
import { unclaimed } from '../../../ports/state/claims.ts';
import type { State } from '../../../ports/state/state.ts';
import { entriesAfter } from '../query.ts';

const maxEntries = 500;

export interface AuditFile {
  readonly job: Job;
  wake(): void;
}

export function createAuditFile(state: State, path: string): AuditFile {
  const alarm = createAlarm();
  return {
    wake: () => alarm.ring(),
    job: {
      name: 'audit-file',
      title: jobTexts.auditFile.title,
      // Each has its own.
      nodes: 'each',
      everyMs: 5_000,
      alarm,
      failed: jobTexts.auditFile.failed,
      async run({ node, signal }) {
        const logs = await state.db.selectFrom('audit_log').select(['organization_id', 'seq']).execute();
        for (const { organization_id: id, seq } of logs) {
          if (!signal.aborted) await write(state, path, { id, seq, sink: `file ${node}` });
        }
      },
    },
  };
}

interface Log {
  readonly id: string;
  readonly seq: number;
  readonly sink: string;
}

async function write(state: State, path: string, { id, seq, sink }: Log): Promise<void> {
  const own = state.db.selectFrom('audit_stream').where('organization_id', '=', id).where('sink', '=', sink);
  let sent = (await own.select('sent_seq').executeTakeFirst())?.sent_seq ?? 0;
  while (sent < seq) {
    const entries = await entriesAfter(state, id, sent, maxEntries);
    const last = entries.at(-1);
    if (!last) return;
    await using file = await open(path, 'a', 0o600);
    await file.writeFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    await file.datasync();
    sent = last.seq;
    await note(state, { id, sink, seq: sent });
  }
}

async function note(state: State, { id, sink, seq }: Log): Promise<void> {
  const nowMs = Date.now();
  await state.db
    .insertInto('audit_stream')
    .values({
      organization_id: id,
      sink,
      sent_seq: seq,
      sent_at: nowMs,
      url: '',
      secret: '',
      enabled: 1,
      detail: '',
      failing_since: null,
      ...unclaimed(nowMs),
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'sink']).doUpdateSet({ sent_seq: seq, sent_at: nowMs }),
    )
    .execute();
}
