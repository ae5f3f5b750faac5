/** What happened and what was said, as one stream. Pure. */

interface Dated {
  readonly id: string;
  readonly dateCreated: string;
}

export type StreamRow<Entry, Comment> =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'comment'; readonly comment: Comment };

/**
 * The newest first. Comments stand among the entries as `note` with the same id; where they are known by themselves, with
 * what may be done with them, those are shown, and `notes` that are no comment any more are not.
 */
export function streamRows<Entry extends Dated & { readonly type: string }, Comment extends Dated>(
  entries: readonly Entry[],
  comments: readonly Comment[],
): StreamRow<Entry, Comment>[] {
  const rows: StreamRow<Entry, Comment>[] = [
    ...comments.map((comment) => ({ kind: 'comment', comment }) as const),
    ...entries.filter(({ type }) => type !== 'note').map((entry) => ({ kind: 'entry', entry }) as const),
  ];
  const at = (row: (typeof rows)[number]): Dated => (row.kind === 'entry' ? row.entry : row.comment);
  return rows.toSorted(
    (a, b) => Date.parse(at(b).dateCreated) - Date.parse(at(a).dateCreated) || Number(at(b).id) - Number(at(a).id),
  );
}
