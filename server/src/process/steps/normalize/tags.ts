/** Tags: an object or a list of pairs in, a list of pairs with one entry per key out. */
import type { Pair } from '../event.ts';
import { asObject, asPairs, asText } from '../json.ts';
import { countLimits, cutText, textLimits } from '../limits.ts';
import type { Remarks } from '../remarks.ts';

/** Come from fields of their own. */
const reserved = new Set(['release', 'dist', 'user', 'filename', 'function', 'environment']);
const keyForm = /^[a-zA-Z0-9_.:-]+$/;

interface ParsedTags {
  readonly tags: Pair[];
  /** Old clients set the environment as a tag. */
  readonly environment?: string;
}

export function parseTags(value: unknown, remarks: Remarks): ParsedTags {
  const tags: Pair[] = [];
  const seen = new Set<string>();
  let environment: string | undefined;
  const pairs = asObject(value) || Array.isArray(value) ? asPairs(value) : [];
  for (const [rawKey, rawValue] of pairs) {
    // Spaces in keys are common and harmless: they become dashes.
    const key = rawKey.trim().replaceAll(' ', '-');
    const text = asText(rawValue)?.trim();
    if (key === '' || text === undefined || text === '') continue;
    if (key === 'environment') environment ??= text;
    if (reserved.has(key) || seen.has(key)) continue;
    if (key.length > textLimits.name.max || key === '__proto__' || !keyForm.test(key)) {
      remarks.error('invalid_data', 'tags', key);
      continue;
    }
    if (tags.length >= countLimits.tags) {
      remarks.changed(['tags'], '!limit', 'x', pairs.length);
      break;
    }
    if (/[\r\n]/.test(text)) {
      remarks.error('invalid_data', `tags.${key}`);
      continue;
    }
    seen.add(key);
    tags.push([key, cutText(text, textLimits.name, remarks, ['tags', key])]);
  }
  return { tags, environment };
}
