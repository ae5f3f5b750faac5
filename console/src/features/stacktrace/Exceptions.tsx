import { Fragment, useState } from 'react';
import { isHandled, shownExceptions, type ShownException } from '../event/entries.ts';
import type { Event } from '../event/types.ts';
import * as m from '../../messages/stacktrace.ts';
import { Flag } from '../../ui/Flag.tsx';
import { PanelHead } from '../../ui/Panel.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { NoStack, StackTrace } from './StackTrace.tsx';
import styles from './stacktrace.module.css';

const StackText = lazily(async () => (await import('./StackText.tsx')).StackText, <span style={{ width: 24 }} />);
const LanguageStack = lazily(async () => (await import('./LanguageStack.tsx')).LanguageStack);
// Most errors have none.
const Causes = lazily(async () => (await import('./Causes.tsx')).Causes);

type View = keyof typeof m.viewNames;
const views = Object.entries(m.viewNames) as [View, string][];

/** What of an event a stack is drawn from. */
type Thrown = Pick<Event, 'eventID' | 'platform' | 'entries'>;
type Headline = Readonly<Record<string, string>>;

/** The error, then what caused it, each with its stack. `headline`: type and value that the page says already. */
export function Exceptions({ event, headline }: { readonly event: Thrown; readonly headline: Headline }) {
  const [view, setView] = useState<View>('short');
  const shown = shownExceptions(event);
  const [first] = shown;
  if (!first) return null;
  const { platform } = event;
  const { title } = first;
  const Stack = platform === 'javascript' || platform === 'node' ? StackTrace : LanguageStack;
  const ownWords = hasOwnWords(headline, first);
  return (
    <section aria-label={m.title} className={styles.exceptions}>
      <PanelHead title={first.exception ? m.title : title}>
        <Segments label={m.views} value={view} options={views} onChange={setView} />
        <StackText shown={shown} platform={platform} as="copy" />
      </PanelHead>
      {view === 'raw' ? (
        <StackText shown={shown} platform={platform} as="raw" />
      ) : (
        <Fragment key={event.eventID}>
          <article className={styles.exception}>
            {first.exception && (ownWords || title !== headline['type']) && (
              <header className={styles.exceptionHead}>
                <h3 translate="no">{title}</h3>
                {ownWords && isHandled(first.exception) === false && <Flag kind="plain">{m.unhandled}</Flag>}
                {ownWords && <p translate="no">{first.exception.value}</p>}
              </header>
            )}
            {first.stacktrace ? (
              <Stack stacktrace={first.stacktrace} platform={platform} full={view === 'full'} main />
            ) : (
              <NoStack />
            )}
          </article>
          {shown.length > 1 && <Causes shown={shown} platform={platform} full={view === 'full'} />}
        </Fragment>
      )}
    </section>
  );
}

/** The page's title says the words; an event may have other ones, as a browser's view of a server failure has. */
function hasOwnWords(headline: Headline, { exception }: ShownException): boolean {
  return exception?.value !== null && exception?.value !== headline['value'];
}
