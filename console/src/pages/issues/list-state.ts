/**
 * What the issue list knows besides its answer. Pure.
 *
 * Another address is another list: `moved` forgets all of it. Within one list, events of the live stream add to `news`
 * until the list is `asked` again; rows are selected one by one, as a range from the `last` one, as the page, or as the
 * `whole` search, and any other selection ends that. Rows that were `acted` on stay marked, so that they leave the list
 * before the server has answered. A menu or a dialog is `open` until it is closed.
 */
import type { Issue } from '../../features/issues/queries.ts';
import type { LiveMessage } from '../../features/live/live.ts';
import type { MenuKind } from '../../features/triage/TriageMenu.tsx';
import { noNews, withMessage, type News } from './news.ts';

export interface ListState {
  readonly address: string;
  readonly news: News;
  /** Ids. */
  readonly selected: ReadonlySet<string>;
  /** All that the search finds, not only this page. */
  readonly whole: boolean;
  /** Index of the row that was selected last. */
  readonly last: number | undefined;
  /** Ids of issues that were changed here. */
  readonly touched: ReadonlySet<string>;
  /** The last target of a merge. */
  readonly merged: { readonly shortId: string; readonly project: string } | undefined;
  readonly open: Opened | undefined;
}

/** None as targets: all that the search finds. */
export type Opened =
  | {
      readonly what: 'menu';
      readonly kind: MenuKind;
      readonly anchor: Element;
      readonly targets: readonly Issue[];
    }
  | { readonly what: 'delete'; readonly discard: boolean; readonly targets: readonly Issue[] };

type Ids = readonly string[];
export type ListEvent =
  | { readonly type: 'moved'; readonly address: string }
  | { readonly type: 'asked' }
  | { readonly type: 'arrived'; readonly message: Extract<LiveMessage, { type: 'events' }> }
  /** `ids` are those of all rows, `at` is the row. */
  | { readonly type: 'toggled' | 'extended'; readonly ids: Ids; readonly at: number }
  | { readonly type: 'page-selected'; readonly ids: Ids; readonly on: boolean }
  | { readonly type: 'all-selected'; readonly ids: Ids }
  | { readonly type: 'cleared' }
  | { readonly type: 'acted'; readonly ids: Ids; readonly isStatus: boolean }
  | { readonly type: 'merged'; readonly into: ListState['merged'] }
  | { readonly type: 'opened'; readonly open: Opened | undefined };

export const listAt = (address: string): ListState => ({
  address,
  news: noNews,
  selected: new Set(),
  whole: false,
  last: undefined,
  touched: new Set(),
  merged: undefined,
  open: undefined,
});

const nothing = { selected: new Set<string>(), whole: false, last: undefined } as const;

export function listReducer(state: ListState, event: ListEvent): ListState {
  switch (event.type) {
    case 'moved':
      return { ...listAt(event.address), open: state.open };
    case 'asked':
      return { ...state, news: noNews };
    case 'arrived':
      return { ...state, news: withMessage(state.news, event.message) };
    case 'toggled':
      return selectRange(state, event.ids, event.at, event.at, !state.selected.has(event.ids[event.at] ?? ''));
    case 'extended': {
      const from = state.last ?? event.at;
      // The range becomes what its first row is; where nothing is selected, it is selected.
      const isOn = state.last === undefined || state.selected.size === 0 || state.selected.has(event.ids[from] ?? '');
      return selectRange(state, event.ids, from, event.at, isOn);
    }
    case 'page-selected':
      return { ...state, selected: new Set(event.on ? event.ids : []), whole: false };
    case 'all-selected':
      return { ...state, selected: new Set(event.ids), whole: true };
    case 'cleared':
      return { ...state, ...nothing };
    case 'acted':
      return {
        ...state,
        touched: new Set([...state.touched, ...event.ids]),
        ...(event.isStatus && nothing),
      };
    case 'merged':
      return { ...state, merged: event.into };
    case 'opened':
      return { ...state, open: event.open };
  }
}

function selectRange(state: ListState, ids: Ids, from: number, to: number, isOn: boolean): ListState {
  const selected = new Set(state.selected);
  for (const id of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isOn) selected.add(id);
    else selected.delete(id);
  }
  return { ...state, selected, whole: false, last: to };
}

type Row = Pick<Issue, 'id' | 'status'>;

export interface Rows<T extends Row> {
  readonly issues: readonly T[];
  /** Ids of rows that are on their way out of the list. */
  readonly leaving: ReadonlySet<string>;
  /** Selected ones that are still on this page. */
  readonly chosen: readonly T[];
}

/** What of an answer is a row. `wanted` is the only status that the list shows; undefined where it shows several. */
export function rowsOf<T extends Row>(
  listed: readonly T[],
  { touched, selected }: Pick<ListState, 'touched' | 'selected'>,
  wanted: Issue['status'] | undefined,
): Rows<T> {
  const isLeaving = ({ id, status }: Row): boolean => wanted !== undefined && status !== wanted && touched.has(id);
  const issues = listed.filter((issue) => !isLeaving(issue));
  return {
    issues,
    leaving: new Set(listed.filter(isLeaving).map(({ id }) => id)),
    chosen: issues.filter(({ id }) => selected.has(id)),
  };
}

/** Which row takes the focus when these leave: the next one that stays, else the one before. */
export function rowAfter(rows: readonly Pick<Row, 'id'>[], at: number, leaving: ReadonlySet<string>): number {
  const next = rows.findIndex(({ id }, index) => index > at && !leaving.has(id));
  return next >= 0
    ? next
    : Math.max(
        0,
        rows.findLastIndex(({ id }, index) => index < at && !leaving.has(id)),
      );
}

/**
 * Whether a message makes the list ask again without a press. It does when nothing on the screen could jump, when the
 * stream was interrupted, and when rows were changed elsewhere, unless some are selected or a change of ours is running.
 */
export function asksAgain(
  message: LiveMessage,
  rows: Pick<Rows<Row>, 'issues' | 'chosen'>,
  isActing: boolean,
): boolean {
  if (message.type === 'reconnected' || rows.issues.length === 0) return true;
  return (
    message.type === 'issues' &&
    rows.chosen.length === 0 &&
    !isActing &&
    rows.issues.some(({ id }) => message.issueIds.includes(id))
  );
}
