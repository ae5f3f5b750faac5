import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { groupingPatch } from './grouping-settings.ts';
import { settingsPatch } from './settings.ts';
import { isSlug } from './slug.ts';
import { invalid } from '../../base/texts/validation.ts';

const name = z.string().trim().min(1, invalid.empty).max(64, invalid.atMost(64));
const slug = z.string().refine(isSlug, invalid.slug);
const platform = z
  .string()
  .max(64, invalid.atMost(64))
  .regex(/^[a-z0-9-]*$/, invalid.platform);
const rateLimit = z
  .object({ count: z.int().min(1).max(1_000_000_000), windowSeconds: z.int().min(1).max(86_400) })
  .nullable();

/** As trackers number their projects, kept as text: not all fit a number. */
export const alias = z.string().regex(/^\d{1,19}$/, invalid.projectId);

export const newProject = z.object({ name, slug: slug.optional(), platform: platform.optional() });
export const projectPatch = z.object({
  name: name.optional(),
  slug: slug.optional(),
  platform: platform.optional(),
  settings: settingsPatch.optional(),
  grouping: groupingPatch.optional(),
});
/** Null for no limit. */
export const blobBytesPerDay = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable();

export const newKey = z.object({
  label: name.optional(),
  rateLimit: rateLimit.optional(),
  blobBytesPerDay: blobBytesPerDay.optional(),
});
export const keyPatch = z.object({
  label: name.optional(),
  isActive: z.boolean().optional(),
  rateLimit: rateLimit.optional(),
  blobBytesPerDay: blobBytesPerDay.optional(),
});

/** The checked value; throws `CodedError('INPUT_INVALID')` that names the first field that is wrong and why. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new CodedError('INPUT_INVALID', [`${path || 'input'} ${issue?.message ?? invalid.unreadable}`]);
}
