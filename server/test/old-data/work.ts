/**
 * Work in the midst of which an earlier version was killed, written as that version had it: into the state store of a data
 * directory of its own, before the program of now has opened it.
 */
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { DataDirManifest } from '../../../fixtures/data-dirs/index.ts';

type Row = Readonly<Record<string, SQLInputValue>>;

const stateOf = (dataDir: string, options = {}): DatabaseSync => new DatabaseSync(join(dataDir, 'state.db'), options);

/** Also of a program that runs. */
export function readState(dataDir: string, question: string, ...given: SQLInputValue[]): Row[] {
  const db = stateOf(dataDir, { readOnly: true });
  try {
    return db.prepare(question).all(...given);
  } finally {
    db.close();
  }
}

export interface BrokenOff {
  readonly exportId: number;
  readonly symbolicationId: number;
  readonly bundleId: number;
  readonly bulkId: number;
  /** Of the bulk change; the first was changed already. */
  readonly issueIds: readonly number[];
  /** What may have been sent, and what cannot have been. */
  readonly deliveries: { readonly committed: number; readonly early: number };
}

/** Only for directories whose state is SQLite without claims on exports, symbolication and bundles. */
export function leaveWork(dataDir: string, { recordedAt }: DataDirManifest): BrokenOff {
  const db = stateOf(dataDir);
  /** A copy of a row with what is different about it. Returns its id. */
  const copy = (table: string, where: string, changes: Row): number => {
    const found = db.prepare(`select * from ${table} where ${where} limit 1`).get();
    if (!found) throw new Error(`no ${table} where ${where}`);
    const { id: _, ...row } = { ...found, ...changes };
    const names = Object.keys(row);
    const marks = names.map(() => '?').join();
    const { lastInsertRowid } = db
      .prepare(`insert into ${table} (${names.join()}) values (${marks})`)
      .run(...Object.values(row));
    return Number(lastInsertRowid);
  };
  try {
    const begunAt = recordedAt - 20_000;
    const begun = { state: 'running', attempts: 1, created_at: begunAt, finished_at: null, detail: '' };
    const exportId = copy('data_export', `state = 'done'`, { ...begun, row_count: 40, size_bytes: 0 });
    const symbolicationId = copy('symbolication_job', `state = 'done'`, { ...begun, done: 0, mapped: 0 });

    const bundleId = copy('artifact_bundle', `state = 'ok'`, {
      release: 'shop@1.2.0',
      state: 'assembling',
      index_version: 0,
      indexed_at: null,
      created_at: begunAt,
    });
    db.prepare('insert into artifact_bundle_project select ?, project_id from artifact_bundle_project').run(bundleId);

    const issueIds = db
      .prepare(`select id from issue where status = 'unresolved' and project_id = 1 order by id desc limit 3`)
      .all()
      .map(({ id }) => Number(id));
    const bulkId = copy('bulk_job', `state = 'done'`, {
      ...begun,
      change: JSON.stringify({ asked: { status: 'resolved' }, change: { status: { kind: 'resolve' } } }),
      total: issueIds.length,
      done: 1,
      changed: 1,
      due_at: begunAt,
      claimed_by: 'the node that was killed',
      claimed_until: recordedAt + 12_000,
      undoable_until: null,
    });
    const item = db.prepare('insert into bulk_item (job_id, position, issue_id, before) values (?, ?, ?, ?)');
    for (const [index, issueId] of issueIds.entries()) item.run(bulkId, index + 1, issueId, null);
    const first = db.prepare('select * from issue where id = ?').get(issueIds[0] ?? 0);
    const { status, substatus, status_details, status_changed_at, moves_at } = first ?? {};
    const before = JSON.stringify({ status: { status, substatus, status_details, status_changed_at, moves_at } });
    db.prepare('update bulk_item set before = ? where job_id = ? and position = 1').run(before, bulkId);
    db.prepare(
      `update issue set status = 'resolved', substatus = null, status_changed_at = ?, moves_at = null where id = ?`,
    ).run(begunAt, issueIds[0] ?? 0);
    copy('issue_activity', `type = 'set_resolved_in_release'`, {
      issue_id: issueIds[0] ?? 0,
      type: 'set_resolved',
      data: '{}',
      created_at: begunAt,
    });

    const sending = {
      state: 'sending',
      channel_id: Number(db.prepare(`select id from channel where type = 'slack'`).get()?.['id']),
      lease_owner: 'the node that was killed',
      lease_until: recordedAt,
      finished_at: null,
    };
    const committed = { ...sending, key: 'may have come', committed_at: recordedAt - 100 };
    const early = { ...sending, key: 'cannot have come', committed_at: null };
    const deliveries = {
      committed: copy('delivery', `state = 'sent'`, committed),
      early: copy('delivery', `state = 'sent'`, early),
    };
    return { exportId, symbolicationId, bundleId, bulkId, issueIds, deliveries };
  } finally {
    db.close();
  }
}
