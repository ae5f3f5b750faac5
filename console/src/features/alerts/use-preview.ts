import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sentence } from './place.ts';
import { type AlertPreview, type AlertRuleRequest, beginPreview, cancelPreview, readPreview } from './queries.ts';

const settleMs = 600;
const pollMs = 400;

/** What was asked, and what is known of it by now. */
export interface RulePreview {
  /** Of the last rule that was tried to its end: what is shown while the next one runs. */
  readonly found: AlertPreview | undefined;
  /** 0 to 1 while something is asked. */
  readonly progress: number | undefined;
  readonly error: unknown;
  stop(): void;
  retry(): void;
}

/**
 * Tries a rule while it is written, once it rests for a moment. A rule that is changed meanwhile, and leaving, break off what
 * runs. Undefined: it cannot be tried as it is.
 */
export function useRulePreview(org: string, rule: AlertRuleRequest | undefined): RulePreview {
  const queries = useQueryClient();
  // Its name, its channels and whom it tells change nothing of when it fires.
  const wanted = rule && JSON.stringify({ ...rule, name: 'rule', enabled: true, channelIds: [], owner: null });
  const [asked, setAsked] = useState<string>();
  const [stopped, setStopped] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), asked === undefined ? 0 : settleMs);
    return () => clearTimeout(timer);
  }, [wanted, asked]);

  const question = asked !== undefined && asked === wanted && asked !== stopped ? asked : undefined;
  const [progress, setProgress] = useState(0);
  const report = useRef(setProgress);
  const result = useQuery({
    queryKey: ['alerts', org, 'preview', question],
    queryFn: async ({ signal }) => {
      report.current(0);
      let preview = await beginPreview(org, JSON.parse(question ?? '') as AlertRuleRequest);
      try {
        while (preview.status === 'running') {
          await pause(signal);
          signal.throwIfAborted();
          preview = await readPreview(org, preview.id, signal);
          report.current(preview.progress);
        }
      } finally {
        if (signal.aborted && preview.status === 'running') void cancelPreview(org, preview.id).catch(() => undefined);
      }
      if (preview.status === 'failed') throw new Error(sentence(preview.detail ?? ''));
      return preview;
    },
    enabled: question !== undefined,
    placeholderData: (before) => before,
    retry: (count, error) => count < 3 && 'code' in error && error.code === 'PREVIEWS_FULL',
    retryDelay: 2_000,
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  return {
    found: result.data,
    progress: question !== undefined && result.isFetching ? progress : undefined,
    error: question === undefined || result.isFetching ? undefined : result.error,
    stop: () => {
      setStopped(asked);
      void queries.cancelQueries({ queryKey: ['alerts', org, 'preview', question] });
    },
    retry: () => {
      setStopped(undefined);
      if (stopped === undefined) void result.refetch();
    },
  };
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
