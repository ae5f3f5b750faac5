import { habitOf } from '@culprit/stacktrace';
import { useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { isHandled, shownExceptions } from '../event/entries.ts';
import type { Event } from '../event/types.ts';
import { bootQuery } from '../session/boot.ts';
import * as m from '../../messages/stacktrace.ts';
import { Flag } from '../../ui/Flag.tsx';
import { PanelHead } from '../../ui/Panel.tsx';
import { lazily } from '../../ui/lazily.tsx';
import type { StackView } from './StackTools.tsx';
import { NoStack, StackTrace } from './StackTrace.tsx';
import styles from './stacktrace.module.css';

const StackTools = lazily(() => import('./StackTools.tsx').then((module) => module.StackTools));
const RawStack = lazily(() => import('./RawStack.tsx').then((module) => module.RawStack));
const LanguageStack = lazily(() => import('./LanguageStack.tsx').then((module) => module.LanguageStack));
// Most errors have none.
const Causes = lazily(() => import('./Causes.tsx').then((module) => module.Causes));

/** What of an event a stack is drawn from. */
export type Thrown = Pick<Event, 'eventID' | 'platform' | 'entries'> &
  Partial<Pick<Event, 'level' | 'sdk' | 'contexts' | '_meta'>>;
type Headline = Readonly<Record<string, string>>;

/** The error, then what caused it, each with its stack. `headline`: type and value that the page says already. */
export function Exceptions({ event, headline }: { readonly event: Thrown; readonly headline: Headline }) {
  const queries = useQueryClient();
  const [{ view, chosen }, show] = useState<StackView>(() => ({
    view: 'short',
    chosen: queries.getQueryData(bootQuery.queryKey)?.preferences?.stackOrder,
  }));
  const shown = shownExceptions(event);
  const [first] = shown;
  if (!first) return null;
  const { platform } = event;
  const { exception, title, stacktrace } = first;
  const order = chosen ?? habitOf(platform);
  const drawn = { platform, full: view === 'full', order };
  const Stack = platform === 'javascript' || platform === 'node' ? StackTrace : LanguageStack;
  // The page's title says the words; an event may have other ones, as a browser's view of a server failure has.
  const ownWords = exception?.value !== null && exception?.value !== headline['value'];
  return (
    <section aria-label={m.title} className={styles.exceptions}>
      <PanelHead title={exception ? m.title : title}>
        <StackTools event={event} view={view} order={order} onChange={show} />
      </PanelHead>
      {view === 'raw' ? (
        <RawStack event={event} order={order} />
      ) : (
        <Fragment key={event.eventID}>
          <article className={styles.exception}>
            {exception && (ownWords || title !== headline['type']) && (
              <header className={styles.exceptionHead}>
                <h3 translate="no">{title}</h3>
                {ownWords && isHandled(exception) === false && <Flag kind="plain">{m.unhandled}</Flag>}
                {ownWords && <p translate="no">{exception.value}</p>}
              </header>
            )}
            {stacktrace ? <Stack {...drawn} stacktrace={stacktrace} main /> : <NoStack />}
          </article>
          {shown.length > 1 && <Causes {...drawn} shown={shown} />}
        </Fragment>
      )}
    </section>
  );
}
