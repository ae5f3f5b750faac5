import { z } from 'zod';
import {
  patchPerformanceSettings,
  performancePatchSchema,
  readPerformanceSettings,
} from '../../base/problems/settings.ts';
import { defaultProjectSettings } from '../../process/types.ts';
import type { ProjectSettings } from '../../process/types.ts';
import { ownRuleLimits } from '../../process/steps/scrub/index.ts';
import { invalid } from '../../base/texts/validation.ts';
import { readFilters } from './filter-settings.ts';
import { readGrouping } from './grouping-settings.ts';

const names = z.array(z.string().trim().min(1).max(200)).max(200);

/** What comes with the settings of the organisation, and is never stored here. */
type OfOrganization = 'organizationRules' | 'pseudonymKey';

const schema = z.strictObject({
  storeIpAddresses: z.boolean(),
  scrubData: z.boolean(),
  scrubDefaults: z.boolean(),
  sensitiveFields: names,
  safeFields: names,
  scrubRules: z.string().max(ownRuleLimits.characters, invalid.atMost(ownRuleLimits.characters)),
  pseudonymizeUsers: z.boolean(),
  largeTextAttachments: z.boolean(),
  logExceptions: z.boolean(),
  allowedDomains: z.array(z.string().trim().min(1).max(255).regex(/^\S+$/, invalid.spaces)).max(200),
  internal: z.boolean(),
} satisfies Record<Exclude<keyof ProjectSettings, 'performance' | 'grouping' | 'filters' | OfOrganization>, z.ZodType>);

/** What a change of settings may carry; what is left out stays. */
export const settingsPatch = schema.omit({ internal: true }).extend({ performance: performancePatchSchema }).partial();

export type SettingsPatch = z.output<typeof settingsPatch>;

/** The settings with what the patch says. */
export function patchSettings(settings: ProjectSettings, { performance, ...patch }: SettingsPatch): ProjectSettings {
  const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return {
    ...settings,
    ...said,
    ...(performance && { performance: patchPerformanceSettings(settings.performance, performance) }),
  };
}

/** Reads `project.settings`. What is missing or unreadable is the default, so that no row can stop the pipeline. */
export function parseSettings(text: string): ProjectSettings {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    stored = undefined;
  }
  if (typeof stored !== 'object' || stored === null) stored = {};
  const settings: Record<string, unknown> = { ...defaultProjectSettings };
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = field.safeParse((stored as Record<string, unknown>)[name]);
    if (value.success) settings[name] = value.data;
  }
  settings['performance'] = readPerformanceSettings((stored as Record<string, unknown>)['performance']);
  settings['filters'] = readFilters((stored as Record<string, unknown>)['filters']);
  settings['grouping'] = readGrouping((stored as Record<string, unknown>)['grouping']);
  return settings as unknown as ProjectSettings;
}
