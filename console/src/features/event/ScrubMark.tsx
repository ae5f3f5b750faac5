import type { ReactNode } from 'react';
import * as m from '../../messages/scrubbed.ts';
import { Text } from '../../ui/Text.tsx';
import { JsonValue } from './JsonValue.tsx';
import type { KeyValueRow } from './KeyValues.tsx';
import { inPair, type Scrubbed, scrubbedBelow } from './scrubbed.ts';
// A file of its own would be one more that the first page names.
import styles from './JsonValue.module.css';

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

/** The same of a list: rows are at their place in it, each a key with its value. */
export const markedPairs = (
  rows: readonly KeyValueRow[],
  scrubbed: readonly Scrubbed[],
  at: readonly string[],
  project: string,
): KeyValueRow[] =>
  rows.map((row, index) => {
    const found = inPair(scrubbedBelow(scrubbed, [...at, String(index)]));
    return found.length > 0 ? { ...row, shown: <Marked row={row} found={found} project={project} /> } : row;
  });

interface Marks {
  readonly found: readonly Scrubbed[];
  readonly project: string;
}

/**
 * Any value, with marks at what is in it; `found`: their steps from there. What lies deeper may be folded: there the
 * value as a whole has a mark, too.
 */
export function MarkedValue({ value, found, project }: Marks & { readonly value: unknown }): ReactNode {
  const isTree = typeof value === 'object' && value !== null;
  return (
    <>
      <JsonValue
        value={value}
        renderMark={(path) => {
          const here = scrubbedBelow(found, path).filter((one) => one.path.length === 0);
          return here.length > 0 && <ScrubMark found={here} project={project} />;
        }}
      />
      {isTree && found.some(({ path }) => path.length !== 1) && <ScrubMark found={found} project={project} />}
    </>
  );
}

function Marked({ row, found, project }: Marks & { readonly row: KeyValueRow | undefined }): ReactNode {
  const { value, shown } = row ?? {};
  if (value === undefined || value === null || value === '') return <Gone found={found} project={project} />;
  if (typeof value === 'object' && !shown) return <MarkedValue value={value} found={found} project={project} />;
  return (
    <>
      {shown ?? <JsonValue value={value} />}
      <ScrubMark found={found} project={project} />
    </>
  );
}

/** Where a value was, and by which rule it went. */
export const Gone = ({ found, project }: Marks): ReactNode => (
  <>
    <Text tone="faint">{m.gone}</Text>
    <ScrubMark found={found} project={project} />
  </>
);
