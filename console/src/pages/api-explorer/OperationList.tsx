import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { Operation } from '../../features/api-explorer/document.ts';
import * as m from '../../messages/api-explorer.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Text } from '../../ui/Text.tsx';
import styles from './ApiExplorer.module.css';

/** By area; arrows go from one to the next. */
export function OperationList({
  operations,
  chosen,
}: {
  readonly operations: readonly Operation[];
  readonly chosen: string | undefined;
}) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (chosen !== undefined)
      list.current?.querySelector('[aria-current]')?.closest('li')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  return (
    <nav ref={list} className={styles.operations} aria-label={m.operations}>
      {[...byTag].map(([tag, all]) => (
        <section key={tag} aria-label={tag}>
          <h3 className={styles.area}>{tag}</h3>
          <DataList label={tag} open compact>
            {all.map(({ id, method, path, summary }) => (
              <DataRow
                key={id}
                current={id === chosen}
                title={
                  <Link
                    from="/settings/api-explorer"
                    to="."
                    search={(before) => ({ ...before, operation: id })}
                    className={rowLinkClass}
                    aria-current={id === chosen ? 'page' : undefined}
                    preload={false}
                    resetScroll={false}
                    onKeyDown={step}
                  >
                    {summary}
                  </Link>
                }
                facts={
                  <Text as="div" small cut>
                    <Method of={method} /> <code translate="no">{path.replace('/api/0', '')}</code>
                  </Text>
                }
              />
            ))}
          </DataList>
        </section>
      ))}
    </nav>
  );
}

const tones = { GET: 'muted', POST: 'ok', PUT: 'warning', DELETE: 'error' } as const;

export const Method = ({ of }: { readonly of: Operation['method'] }) => (
  <Text tone={tones[of]}>
    <code translate="no">{of}</code>
  </Text>
);

function step(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const links = [...(event.currentTarget.closest('nav')?.querySelectorAll('a') ?? [])];
  const next = links[links.findIndex((one) => one === event.currentTarget) + by];
  if (by === 0 || !next) return;
  event.preventDefault();
  next.focus();
}
