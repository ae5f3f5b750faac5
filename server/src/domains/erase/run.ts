/** Finding and removing, store by store. Each step may be done twice: a run that broke off begins again, and finds the rest. */
import type { SoughtText } from '../../base/sought-text.ts';
import { chunksOf } from '../../base/chunks.ts';
import type { Place } from '../../ports/payloads/payloads.ts';
import type { State } from '../../ports/state/state.ts';
import { renameWaitingUsers } from '../issues/index.ts';
import { exportsWith, itemsByFile } from './files.ts';
import type { Found, Removed } from './certificate.ts';
import { conditionOf } from './match.ts';
import { type About, soughtOf, userTexts } from './person.ts';
import {
  countRows,
  errorColumns,
  type ErrorFound,
  patient,
  removeErrors,
  removeItems,
  removeItemsOf,
  removeSpans,
  removeWhere,
  renameSampled,
  type RowStores,
  type Search,
  shapeOf,
  thorough,
} from './rows.ts';
import { countTexts, findFeedback, maskTexts, removeFeedback, type StateScope } from './state-texts.ts';

export interface Stores extends RowStores {
  readonly state: State;
}

export interface RunOptions extends StateScope {
  readonly about: About;
  readonly search: Search;
  readonly signal: AbortSignal;
  /** Of a step, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

export const soughtFor = (about: About): readonly SoughtText[] =>
  about.event || !about.mentions ? [] : soughtOf(about.person);

/** Tables that are made of rows of others, and of which nothing is deleted with them. */
const handled = new Set(['errors', 'revisions', 'items', 'spans', 'segments']);

/** By kind, as certificates and pages name them. */
const kindOf = (table: string): string =>
  ({ errors: 'events', error_texts: 'events_texts', items: 'items' })[table] ?? table;

/**
 * Events whose payload names the person: only that does, or their columns do as well. Also those that were erased and are
 * there still: a run that was killed may have left their rows.
 */
async function payloadsWith(
  { events }: RowStores,
  sought: readonly SoughtText[],
  signal: AbortSignal,
  onProgress?: (done: number) => void,
): Promise<Place[]> {
  const places: Place[] = [];
  await events.payloads?.search({
    sought,
    signal,
    onFound: ({ segment, ordinals }) => {
      for (const ordinal of ordinals) places.push({ segment, ordinal });
    },
    onProgress: (done, of) => onProgress?.(done / of),
  });
  return places;
}

/** In one statement, which looks at all places. */
const placesAtOnce = 10_000;

/** Rows of these places. */
async function rowsAt(
  { events }: RowStores,
  places: readonly Place[],
  projectIds: readonly number[] | undefined,
  signal: AbortSignal,
): Promise<ErrorFound[]> {
  const found: ErrorFound[] = [];
  for (const chunk of chunksOf(places, placesAtOnce)) {
    const rows = await events.query<ErrorFound>(
      `SELECT '' AS k${errorColumns} FROM errors
       WHERE (payload_segment, payload_ordinal) IN arrayZip({segments:Array(UInt64)}, {ordinals:Array(UInt32)})`,
      { segments: chunk.map(({ segment }) => segment), ordinals: chunk.map(({ ordinal }) => ordinal) },
      { ...patient, signal },
    );
    found.push(...rows);
  }
  return projectIds ? found.filter(({ project }) => projectIds.includes(project)) : found;
}

export interface Looked {
  readonly found: Found;
  /** Of payloads that name the person. */
  readonly places: readonly Place[];
}

export const find = async (stores: Stores, options: RunOptions): Promise<Found> => (await look(stores, options)).found;

export async function look(stores: Stores, options: RunOptions): Promise<Looked> {
  const { about, search, signal, onProgress } = options;
  const { events, state } = stores;
  const kinds: Record<string, { own: number; mentioned: number }> = {};
  const add = (kind: string, own: number, mentioned: number): void => {
    if (own + mentioned === 0) return;
    const known = (kinds[kind] ??= { own: 0, mentioned: 0 });
    known.own += own;
    known.mentioned += mentioned;
  };
  for (const shape of search.shapes) {
    if (shape.table === 'segments' || (about.event && !shape.texts.includes('event_id'))) continue;
    const { own, mentioned } = await countRows(events, search, shape, signal);
    add(kindOf(shape.table), own, mentioned);
  }
  const sought = soughtFor(about);
  const { all, params } = conditionOf(about, shapeOf(search, 'errors'), search.projectIds);
  let places: readonly Place[] = [];
  if (sought.length > 0) {
    places = await payloadsWith(stores, sought, signal, onProgress);
    const rows = await rowsAt(stores, places, search.projectIds, signal);
    // Those whose columns say so were counted.
    let known = 0;
    for (const chunk of chunksOf(rows, 10_000)) {
      const [row] = await events.query<{ count: number }>(
        `SELECT uniqExact(project_id, event_id) AS count FROM errors WHERE ${all} AND event_id IN {ids:Array(String)}`,
        { ...params, ids: chunk.map(({ event }) => event) },
        { ...thorough, signal },
      );
      known += row?.count ?? 0;
    }
    add('events', 0, Math.max(0, new Set(rows.map(({ project, event }) => `${project} ${event}`)).size - known));
  }
  add('files', 0, await itemsByFile(stores, search, sought, { remove: false, signal }));
  add('exports', 0, await exportsWith(stores, options.organizationId, sought, { remove: false, signal }));
  add('feedback', (await findFeedback(state, options, about, sought)).length, 0);
  const texts = await countTexts(state, options, sought);
  add(
    'texts',
    0,
    Object.values(texts).reduce((sum, count) => sum + count, 0),
  );
  return { found: { kinds }, places };
}

/** Rows, texts and files of one request: nobody has more, so it would be of others. */
export const mostMatched = 1_000_000;

export const countOf = ({ kinds }: Found): number =>
  Object.values(kinds).reduce((sum, { own, mentioned }) => sum + own + mentioned, 0);

export interface RemoveOptions extends RunOptions {
  /** Stands for the person among users that a storm kept out. */
  readonly alias: string;
  readonly onStep: (step: 'removing' | 'files' | 'state') => void;
  /** Payloads that name the person, where they were looked for just now: what came since then is found by another round. */
  readonly places?: readonly Place[] | undefined;
}

export async function remove(stores: Stores, options: RemoveOptions): Promise<Removed> {
  const { about, search, signal, onStep, alias } = options;
  const { events, state } = stores;
  const removed: Removed = {};
  const add = (kind: string, count: number): void => {
    if (count > 0) removed[kind] = (removed[kind] ?? 0) + count;
  };
  const sought = soughtFor(about);
  onStep('removing');
  // Before the rows, which say where more of them are.
  const places = options.places ?? (sought.length > 0 ? await payloadsWith(stores, sought, signal) : []);
  const here = await rowsAt(stores, places, undefined, signal);
  await eraseOrphans(stores, places, here);
  const inPayload = here.filter(({ project }) => search.projectIds.includes(project));
  for (const [project, own] of Map.groupBy(inPayload, (row) => row.project)) {
    for (const chunk of chunksOf(own, 10_000)) {
      const condition = 'project_id = {project:UInt64} AND event_id IN {ids:Array(String)}';
      const params = { project, ids: chunk.map(({ event }) => event) };
      const gone = await removeErrors(stores, search, { condition, params }, signal);
      add('events', gone.events);
      add('items', gone.withThem);
    }
  }
  const { all, params } = conditionOf(about, shapeOf(search, 'errors'), search.projectIds);
  const gone = await removeErrors(stores, search, { condition: all, params }, signal);
  add('events', gone.events);
  add('items', gone.withThem);
  add('revisions', await removeTable(events, options, 'revisions'));
  add('items', await removeItems(stores, search, signal));
  if (!about.event) {
    add('spans', await removeSpans(events, search, signal));
    await removeTable(events, options, 'segments');
    for (const { table } of search.shapes) {
      if (!handled.has(table)) add(kindOf(table), await removeTable(events, options, table));
    }
    const users = userTexts(about.person);
    add('sampled_users', await renameSampled(events, search, users, alias, signal));
    add('sampled_users', await renameWaitingUsers(state, search.projectIds, users, alias));
  }
  onStep('files');
  add('files', await itemsByFile(stores, search, sought, { remove: true, signal }));
  add('exports', await exportsWith(stores, options.organizationId, sought, { remove: true, signal }));
  onStep('state');
  const feedback = await findFeedback(state, options, about, sought);
  await removeItemsOf(stores, search, feedback, signal);
  await removeFeedback(
    state,
    feedback.map(({ id }) => id),
  );
  add('feedback', feedback.length);
  const masked = await maskTexts(state, options, sought, signal);
  add(
    'texts',
    Object.values(masked).reduce((sum, count) => sum + count, 0),
  );
  return removed;
}

/** Payloads that no row has: an insert that was given up has left them. */
async function eraseOrphans(
  { events }: RowStores,
  places: readonly Place[],
  rows: readonly ErrorFound[],
): Promise<void> {
  const having = new Set(rows.map(({ segment, ordinal }) => `${segment} ${ordinal}`));
  await events.payloads?.erase(places.filter(({ segment, ordinal }) => !having.has(`${segment} ${ordinal}`)));
}

function removeTable(
  events: RowStores['events'],
  { about, search, signal }: RunOptions,
  table: string,
): Promise<number> {
  const shape = shapeOf(search, table);
  const { all, params } = conditionOf(about, shape, search.projectIds);
  return removeWhere(events, search, { shape, condition: all, params }, signal);
}
