/** The load-failure screen in React. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { digestInCauses } from './digest.ts';
import { failureReport } from './failure-report.ts';
import { parseDigest } from './parse-digest.ts';
import { screenStyle } from './screen-style.ts';
import { digestLine, failureText } from './text.ts';

export interface LoadFailureProps {
  /** Looked at for a digest, in its causes too; its message is not shown. */
  readonly error?: unknown;
  /** Where it is known apart from the error. */
  readonly digest?: string | undefined;
  /** Host name without port; the page's own by default. */
  readonly host?: string | undefined;
  /** Of the report about this failure. */
  readonly eventId?: string | undefined;
  /** Of "Try again"; loads the page again by default. */
  readonly onRetry?: (() => void) | undefined;
}

/**
 * The screen over the whole page. It needs no stylesheet and makes no request. On a server it renders without the host
 * name, unless `host` is given.
 */
export function LoadFailure({ error, digest, host, eventId, onRetry }: LoadFailureProps): ReactNode {
  const ownHost = useSyncExternalStore(neverChanges, hostName, noHostName);
  const known = parseDigest(digest) ?? digestInCauses(error);
  const message = failureText({ host: host ?? ownHost, digest: known });
  return (
    <main ref={screen} tabIndex={-1}>
      <div role="alert">
        <h1 ref={asHeading}>{message}</h1>
        {known && <p ref={asLine}>{digestLine(known)}</p>}
      </div>
      <Details message={message} digest={known} eventId={eventId} onRetry={onRetry ?? reload} buttonRef={asButton} />
    </main>
  );
}

interface DetailsProps {
  /** First lines of what is copied. */
  readonly message: string;
  readonly digest: string | undefined;
  readonly eventId: string | undefined;
  readonly onRetry: () => void;
  readonly buttonRef?: (element: HTMLElement | null) => void;
}

/** What stands beneath the text: the event id, "Try again" and "Copy". */
export function Details({ message, digest, eventId, onRetry, buttonRef }: DetailsProps): ReactNode {
  const [time] = useState(() => new Date());
  const [copied, setCopied] = useState<'not yet' | 'done' | 'denied'>('not yet');
  const report = (): string => failureReport({ message, digest, eventId, url: location.href, time });
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(report());
      setCopied('done');
    } catch {
      // There is no clipboard on pages without TLS, and it may be denied.
      setCopied('denied');
    }
  };
  return (
    <>
      {eventId && (
        <p ref={asLine}>
          Event ID: <code ref={asLine}>{eventId}</code>
        </p>
      )}
      <button type="button" ref={buttonRef} onClick={onRetry}>
        Try again
      </button>{' '}
      {copied === 'denied' ? (
        <textarea readOnly ref={selected} aria-label="Report to copy" defaultValue={report()} />
      ) : (
        <button type="button" ref={buttonRef} onClick={() => void copy()}>
          {copied === 'done' ? 'Copied' : 'Copy'}
        </button>
      )}
    </>
  );
}

/**
 * Refs that set the look by script: a style attribute in the HTML of a server would be refused by `style-src 'self'`, with a
 * complaint in the browser console.
 */
const asHeading = styled('heading');
const asLine = styled('line');
const asButton = styled('button');

function styled(part: keyof typeof screenStyle): (element: HTMLElement | null) => void {
  return (element) => {
    if (element) element.style.cssText = screenStyle[part];
  };
}

function screen(element: HTMLElement | null): void {
  styled('screen')(element);
  element?.focus();
}

function selected(element: HTMLTextAreaElement | null): void {
  styled('text')(element);
  element?.select();
}

function reload(): void {
  location.reload();
}

const neverChanges = (): (() => void) => () => undefined;
const hostName = (): string | undefined => location.hostname;
const noHostName = (): string | undefined => undefined;
