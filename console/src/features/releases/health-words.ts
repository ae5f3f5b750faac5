/** Health of a release as people read it. Pure. */
import * as m from '../../messages/releases.ts';
import { percent, percentage } from '../../ui/numbers.ts';
import type { ReleaseHealth } from './queries.ts';

/**
 * `99.95%` of a share from 0 to 1, cut and not rounded, so that one crash in a million sessions is not none; `–` where
 * nothing ran.
 */
export function freeShare(value: number | null): string {
  if (value === null) return '–';
  if (value >= 1) return percentage(1);
  if (value > 0.9999) return `>${percentage(0.9999)}`;
  const digits = value >= 0.99 ? 100 : value >= 0.1 ? 10 : 100;
  return percentage(Math.floor(value * 100 * digits + 1e-9) / digits / 100);
}

/** `0.03%` of a share of what went badly. */
export function badShare(value: number | null): string {
  if (value === null) return '–';
  if (value <= 0) return percentage(0);
  if (value < 0.0001) return `<${percentage(0.0001)}`;
  const digits = value < 0.1 ? 100 : 10;
  return percentage(Math.round(value * 100 * digits) / digits / 100);
}

export type HealthTone = 'good' | 'meh' | 'poor' | 'none';

/** What is worth a look: one session in two hundred, one in fifty. */
export function healthTone(crashFree: number | null): HealthTone {
  if (crashFree === null) return 'none';
  return crashFree >= 0.995 ? 'good' : crashFree >= 0.98 ? 'meh' : 'poor';
}

export const toneWords: Readonly<Record<HealthTone, string>> = {
  good: '',
  meh: m.below({ share: percentage(0.995) }),
  poor: m.below({ share: percentage(0.98) }),
  none: '',
};

/** `42%` of what ran in the last 24 hours, and the stage of the release. */
export function adoptionWords({ adoption, stage }: Pick<ReleaseHealth, 'adoption' | 'stage'>): {
  readonly share: string;
  readonly stage: string;
  readonly sentence: string;
} {
  if (stage === null) return { share: '–', stage: '', sentence: m.noRecentSessions };
  const share = adoption === null ? '–' : percent(adoption, 1);
  return { share, stage: m.stages[stage], sentence: m.stageHints[stage]({ share }) };
}
