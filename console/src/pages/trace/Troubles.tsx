import { Link } from '@tanstack/react-router';
import type { IndexedTrace } from '../../features/waterfall/index-trace.ts';
import * as m from '../../messages/trace.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { duration } from '../../ui/durations.ts';
import { MenuIcon } from '../../ui/icons.ts';
import { Level } from '../../ui/Level.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import styles from './TracePage.module.css';
import { type Trouble, troublesOf, troubleWords } from './troubles.ts';

const maxShown = 100;

/** Errors and problems of the trace: to their issues, and to where they happened. */
export function Troubles({ index, onShow }: { readonly index: IndexedTrace; readonly onShow: (row: number) => void }) {
  const { errors, problems } = index.trace;
  if (!errors.length && !problems.length) return m.noErrors;
  const troubles = troublesOf(index.trace);
  return (
    <Popover
      label={m.troubles}
      align="end"
      className={styles.troubles}
      renderTrigger={(props) => (
        <Button {...props} size="small">
          <Level level={errors[0]?.level ?? 'warning'} />
          {troubleWords(errors.length, problems.length)}
          <MenuIcon size={14} />
        </Button>
      )}
    >
      {(close) => (
        <>
          <DataList open compact>
            {troubles.slice(0, maxShown).map((trouble) => (
              <TroubleRow
                key={trouble.key}
                trouble={trouble}
                onShow={() => {
                  close();
                  onShow(trouble.row);
                }}
              />
            ))}
          </DataList>
          {troubles.length > maxShown && <Nothing>{m.more({ count: troubles.length - maxShown })}</Nothing>}
        </>
      )}
    </Popover>
  );
}

export function TroubleRow({ trouble, onShow }: { readonly trouble: Trouble; readonly onShow: () => void }) {
  const { level, title, shortId, eventId, row } = trouble;
  return (
    <DataRow
      lead={<Level level={level} />}
      title={
        shortId ? (
          <Link to="/issues/$issue" params={{ issue: shortId }} search={{ event: eventId }} translate="no">
            {title}
          </Link>
        ) : (
          <span translate="no">{title}</span>
        )
      }
      facts={
        <Facts>
          {shortId && <span translate="no">{shortId}</span>}
          {trouble.offsetUs === undefined
            ? m.spansInvolved({ count: trouble.spans })
            : `+${duration(trouble.offsetUs)}`}
        </Facts>
      }
      actions={
        row >= 0 ? (
          <Button size="small" aria-label={m.showSpanOf({ title })} onClick={onShow}>
            {m.showSpan}
          </Button>
        ) : (
          <Text tone="faint" small>
            {m.spanMissing}
          </Text>
        )
      }
    />
  );
}
