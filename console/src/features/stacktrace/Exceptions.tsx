import { useState } from 'react';
import { isHandled, shownExceptions, type ShownException } from '../event/entries.ts';
import type { Event } from '../event/types.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { stackText } from './frames.ts';
import { StackTrace } from './StackTrace.tsx';
import styles from './stacktrace.module.css';

type View = 'short' | 'full' | 'raw';
const views: readonly { readonly value: View; readonly label: string }[] = [
  { value: 'short', label: 'Relevant' },
  { value: 'full', label: 'Full' },
  { value: 'raw', label: 'Raw' },
];

/** What of an event a stack is drawn from. */
type Thrown = Pick<Event, 'eventID' | 'platform' | 'entries'>;
type Headline = Readonly<Record<string, string>>;

/** The error, then what caused it, each with its stack. `headline`: type and value that the page says already. */
export function Exceptions({ event, headline }: { readonly event: Thrown; readonly headline: Headline }) {
  const [view, setView] = useState<View>('short');
  const shown = shownExceptions(event);
  if (shown.length === 0) return null;
  const text = (): string => shown.map(rawText).join('\n\nCaused by: ');
  return (
    <section aria-label="Stack trace" className={styles.exceptions}>
      <div className={styles.toolbar}>
        <h2>{shown[0]?.exception ? 'Stack trace' : shown[0]?.title}</h2>
        <fieldset aria-label="Stack trace view" className={styles.views}>
          {views.map((each) => (
            <Button
              key={each.value}
              size="small"
              variant="ghost"
              aria-pressed={view === each.value}
              onClick={() => setView(each.value)}
            >
              {each.label}
            </Button>
          ))}
        </fieldset>
        <CopyButton text={text} label="Copy stack trace" />
      </div>
      {view === 'raw' ? (
        <ScrollRegion as="pre" className={styles.raw} label="Stack trace as text">
          {text()}
        </ScrollRegion>
      ) : (
        shown.map((each, index) => (
          <article key={`${event.eventID}-${index}`} className={styles.exception}>
            {each.exception && (index > 0 || hasOwnWords(headline, each)) && (
              <header className={styles.exceptionHead}>
                {each.relation !== 'first' && (
                  <span className={styles.relation}>{each.relation === 'cause' ? 'Caused by' : 'Contains'}</span>
                )}
                <h3>{each.title}</h3>
                {isHandled(each.exception) === false && <Flag kind="plain">unhandled</Flag>}
                <p>{each.exception.value}</p>
              </header>
            )}
            {each.stacktrace ? (
              <StackTrace
                stacktrace={each.stacktrace}
                platform={event.platform}
                full={view === 'full'}
                main={index === 0}
              />
            ) : (
              <p className={styles.none}>This error came without a stack trace.</p>
            )}
          </article>
        ))
      )}
    </section>
  );
}

function rawText(each: ShownException): string {
  return stackText(each.title, each.exception?.value ?? null, each.stacktrace?.frames ?? []);
}

/** The page's title says the words; an event may have other ones, as a browser's view of a server failure has. */
function hasOwnWords(headline: Headline, { exception }: ShownException): boolean {
  return exception?.value !== null && exception?.value !== headline['value'];
}
