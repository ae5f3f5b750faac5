/** How to see it again: the request, what the user did, and a test of it. */
import { brief as texts } from '../../../base/texts/brief.ts';
import { entryOf } from '../failure.ts';
import { limits } from '../limits.ts';
import { breadcrumbsOf } from '../trail.ts';
import type { BriefEvent, BriefFailure, BriefReproduction } from '../types.ts';
import { playwrightTest } from './playwright.ts';
import { curlOf, type RequestData } from './request.ts';
import { stepsOf, stepText } from './steps.ts';

export function reproductionOf(event: BriefEvent, name: string, failure: BriefFailure | null): BriefReproduction {
  const request = entryOf<RequestData>(event, 'request');
  if (!isOfBrowser(event)) {
    const curl = request ? curlOf(request) : { command: null, missing: [{ text: texts.missing.request, what: null }] };
    return { curl: curl.command, steps: [], playwright: null, missing: curl.missing };
  }
  const crumbs = breadcrumbsOf(event);
  const url = request?.url;
  const steps = stepsOf(crumbs, url && URL.canParse(url) ? url : undefined);
  const bug = { name, type: failure?.type ?? '', message: failure?.message ?? event.title };
  const { test, missing } = playwrightTest(steps, crumbs.length, bug);
  const acted = steps.some(({ kind }) => kind === 'click' || kind === 'type' || kind === 'go');
  return {
    curl: null,
    steps: steps.slice(-limits.steps).map(stepText),
    playwright: test,
    missing: acted ? missing : [...missing, { text: texts.missing.actions, what: null }],
  };
}

/** A page, not a program of its own: what it was asked for is an address that somebody opened. */
function isOfBrowser({ platform, sdk, contexts }: BriefEvent): boolean {
  if (platform !== 'javascript') return false;
  const name = contexts?.['runtime']?.['name'];
  if (name === 'node' || name === 'bun' || name === 'deno') return false;
  return !/\.(?:node|serverless|bun|deno|cloudflare)\b/.test(sdk?.name ?? '');
}
