/** What the user did, from breadcrumbs of SDKs in browsers. */
import { visibleLine } from '../../../base/visible.ts';
import { brief as texts } from '../../../base/texts/brief.ts';
import { limits } from '../limits.ts';
import { type Breadcrumb, textOf } from '../trail.ts';
import type { BriefNote } from '../types.ts';
import { type Target, targetOf } from './selector.ts';

export type Step =
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'go'; readonly url: string; readonly byItself: boolean }
  | { readonly kind: 'click'; readonly text: string; readonly target: Target | undefined }
  | { readonly kind: 'type'; readonly text: string; readonly target: Target | undefined }
  /** A request that did not succeed; `status` 0: no answer came. */
  | { readonly kind: 'failed'; readonly method: string; readonly url: string; readonly status: number };

/** Within it, a change of the page follows from what was clicked. */
const followsWithinMs = 5_000;

/** `page`: the address at the time of the error. */
export function stepsOf(crumbs: readonly Breadcrumb[], page: string | undefined): readonly Step[] {
  const steps: Step[] = [];
  const first = crumbs.find(({ category }) => category === 'navigation');
  const start = absolute(textOf(first?.data ?? null, 'from'), page) ?? page;
  if (start !== undefined) steps.push({ kind: 'open', url: start });
  let acted: number | undefined;
  for (const crumb of crumbs) {
    const at = crumb.timestamp === null ? undefined : Date.parse(crumb.timestamp);
    const step = stepOf(crumb, page, acted !== undefined && at !== undefined && at - acted < followsWithinMs);
    if (!step) continue;
    const before = steps.at(-1);
    // Keys that are pressed one after the other in a field are one step.
    const isSame = step.kind === 'type' && before?.kind === 'type' && before.text === step.text;
    if (!isSame) steps.push(step);
    if (step.kind === 'click' || step.kind === 'type') acted = at;
  }
  return steps;
}

function stepOf(crumb: Breadcrumb, page: string | undefined, follows: boolean): Step | undefined {
  const { category, message, data } = crumb;
  if (category === 'ui.click' || category === 'ui.input') {
    const text = message ?? '';
    const target = targetOf(text);
    return { kind: category === 'ui.click' ? 'click' : 'type', text, target };
  }
  if (category === 'navigation') {
    const url = absolute(textOf(data, 'to'), page);
    return url === undefined ? undefined : { kind: 'go', url, byItself: !follows };
  }
  if (category !== 'fetch' && category !== 'xhr') return undefined;
  const url = textOf(data, 'url');
  const status = Number(textOf(data, 'status_code') ?? 0);
  if (url === undefined || (status > 0 && status < 400)) return undefined;
  return { kind: 'failed', method: textOf(data, 'method') ?? 'GET', url, status };
}

function absolute(url: string | undefined, page: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (URL.canParse(url)) return url;
  return page !== undefined && URL.canParse(url, page) ? new URL(url, page).href : undefined;
}

export function stepText(step: Step): BriefNote {
  const note = (text: string, what: string): BriefNote => ({ text, what: visibleLine(what, limits.crumbText) });
  switch (step.kind) {
    case 'open':
      return note(texts.steps.open, step.url);
    case 'go':
      return note(step.byItself ? texts.steps.go : texts.steps.leads, step.url);
    case 'click':
      return note(texts.steps.click, step.text);
    case 'type':
      return note(texts.steps.type, step.text);
    case 'failed': {
      const request = `${step.method} ${step.url}`;
      return note(step.status ? texts.steps.refused(step.status) : texts.steps.unanswered, request);
    }
  }
}
