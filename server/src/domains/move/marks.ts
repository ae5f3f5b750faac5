/**
 * What says that an installation is being moved, or has gone.
 *
 * In the data directory: `moved.json`, with which no server starts on the old stores again. In the state store that it is
 * moved to: that it is not whole yet, so that a server which is started on it waits. In a PostgreSQL that it was moved
 * away from: that it has gone.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isMissing, writeDurable } from '../../base/files.ts';
import { moveSetting } from '../../ports/state/copy/side.ts';
import type { State } from '../../ports/state/state.ts';

export const storeNames = ['state', 'events', 'blobs', 'log'] as const;
export type StoreName = (typeof storeNames)[number];

/** Places as people may see them, without passwords. */
const placesSchema = z.partialRecord(z.enum(storeNames), z.string());
export type Places = z.output<typeof placesSchema>;

export const movedSchema = z.object({ id: z.string(), at: z.number(), to: placesSchema });
/** Where an installation went, and when, ms since the epoch. */
export type Moved = z.output<typeof movedSchema>;

const fileName = 'moved.json';

export async function readMoved(dataDir: string): Promise<Moved | undefined> {
  try {
    return movedSchema.parse(JSON.parse(await readFile(join(dataDir, fileName), 'utf8')));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** On disk when it resolves. */
export const writeMoved = (dataDir: string, moved: Moved): Promise<void> =>
  writeDurable(join(dataDir, fileName), JSON.stringify(moved));

export const removeMoved = (dataDir: string): Promise<void> => rm(join(dataDir, fileName), { force: true });

const markSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('coming'), id: z.string(), from: z.string(), references: z.array(z.string()) }),
  z.object({ kind: z.literal('gone'), id: z.string(), at: z.number(), to: z.string() }),
]);
export type StateMark = z.output<typeof markSchema>;

export async function readMark({ db }: Pick<State, 'db'>): Promise<StateMark | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', moveSetting).executeTakeFirst();
  return row && markSchema.parse(JSON.parse(row.value));
}

export async function writeMark({ db }: Pick<State, 'db'>, mark: StateMark | undefined): Promise<void> {
  const value = JSON.stringify(mark);
  await (
    mark
      ? db
          .insertInto('setting')
          .values({ name: moveSetting, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      : db.deleteFrom('setting').where('name', '=', moveSetting)
  ).execute();
}
