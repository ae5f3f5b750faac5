import type { ReactNode } from 'react';
import { JsonValue } from '../../features/event/JsonValue.tsx';
import type { KeyValueRow } from '../../features/event/KeyValues.tsx';
import { type Scrubbed, scrubbedBelow } from '../../features/event/scrubbed.ts';
import * as m from '../../messages/scrubbed.ts';
import { Text } from '../../ui/Text.tsx';
import styles from './ScrubMark.module.css';

const how = { x: m.removed, s: m.replaced, m: m.masked, p: m.hashed } as const;

/** A line for each rule, with the place where that is not the value itself. */
export function scrubLines(found: readonly Scrubbed[], project: string): string[] {
  return found.flatMap(({ path, by }) =>
    by.map(({ kind, of, rule }) => {
      const what = how[kind][of]({ rule, project });
      return path.length > 0 ? m.at({ place: path.join('.'), what }) : what;
    }),
  );
}

const mostLines = 12;

/** Beside a value that scrubbing changed: by which rule, on hover and on keyboard focus. */
export function ScrubMark({ found, project }: { readonly found: readonly Scrubbed[]; readonly project: string }) {
  const lines = scrubLines(found, project);
  const tip = [...lines.slice(0, mostLines), ...(lines.length > mostLines ? ['…'] : [])].join('\n');
  return (
    <button type="button" className={styles.mark} data-tip={tip}>
      {m.mark}
      <span className="visually-hidden">{tip}</span>
    </button>
  );
}

/** Rows of values with marks at those that scrubbing changed; those that it removed are among them. `at`: their place. */
export function marked(
  rows: readonly KeyValueRow[],
  scrubbed: readonly Scrubbed[],
  at: readonly string[],
  project: string,
): KeyValueRow[] {
  const below = scrubbedBelow(scrubbed, at);
  if (below.length === 0) return [...rows];
  const known = new Set(rows.map(({ key }) => key));
  const gone = new Set(below.flatMap(({ path: [key] }) => (key === undefined || known.has(key) ? [] : [key])));
  return [
    ...rows.map((row) => {
      const found = scrubbedBelow(below, [row.key]);
      return found.length > 0 ? { ...row, shown: <Marked row={row} found={found} project={project} /> } : row;
    }),
    ...[...gone].map((key) => ({
      key,
      value: undefined,
      shown: <Marked row={undefined} found={scrubbedBelow(below, [key])} project={project} />,
    })),
  ];
}

function Marked({
  row,
  found,
  project,
}: {
  readonly row: KeyValueRow | undefined;
  readonly found: readonly Scrubbed[];
  readonly project: string;
}): ReactNode {
  const isGone = !row || row.value === null;
  return (
    <>
      {isGone ? <Text tone="faint">{m.gone}</Text> : (row.shown ?? <JsonValue value={row.value} />)}
      <ScrubMark found={found} project={project} />
    </>
  );
}
