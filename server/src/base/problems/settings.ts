/**
 * What each detector's thresholds are, by default and at most: one table, from which validation, defaults and the names
 * under which Sentry's clients know them are made.
 */
import { z } from 'zod';
import { thresholds } from '../texts/detectors.ts';
import { invalid } from '../texts/validation.ts';
import type { DetectorName } from './types.ts';

interface Field {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
  readonly unit: 'ms' | 'bytes' | 'count' | 'share' | 'characters';
  /** Its name in Sentry's project settings, where there is one. */
  readonly sentry?: string;
}

interface Detector {
  /** Name of Sentry's switch for it. */
  readonly sentry: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const minuteMs = 60_000;
const ms = (fallback: number, sentry?: string): Field => ({
  fallback,
  least: 1,
  most: 10 * minuteMs,
  unit: 'ms',
  ...(sentry !== undefined && { sentry }),
});
const count = (fallback: number, least: number, sentry?: string): Field => ({
  fallback,
  least,
  most: 100,
  unit: 'count',
  ...(sentry !== undefined && { sentry }),
});
const bytes = (fallback: number, sentry?: string): Field => ({
  fallback,
  least: 1_000,
  most: 1_000_000_000,
  unit: 'bytes',
  ...(sentry !== undefined && { sentry }),
});
const share = (fallback: number, sentry?: string): Field => ({
  fallback,
  least: 0.01,
  most: 1,
  unit: 'share',
  ...(sentry !== undefined && { sentry }),
});

export const detectorTable = {
  nPlusOneDb: {
    sentry: 'n_plus_one_db_queries_detection_enabled',
    fields: {
      count: count(5, 2, 'n_plus_one_db_count'),
      minDurationMs: ms(50, 'n_plus_one_db_duration_threshold'),
    },
  },
  mnPlusOneDb: {
    sentry: 'm_n_plus_one_db_queries_detection_enabled',
    fields: {
      repetitions: count(3, 2),
      minDurationMs: ms(50),
      minDbShare: share(0.05),
    },
  },
  consecutiveDb: {
    sentry: 'consecutive_db_queries_detection_enabled',
    fields: {
      minSavedMs: ms(100, 'consecutive_db_min_time_saved_threshold'),
      minSavedShare: share(0.1),
      minSpanMs: ms(30),
    },
  },
  slowDb: {
    sentry: 'slow_db_queries_detection_enabled',
    fields: { minDurationMs: ms(500, 'slow_db_query_duration_threshold') },
  },
  nPlusOneApi: {
    sentry: 'n_plus_one_api_calls_detection_enabled',
    fields: {
      count: count(5, 2),
      minDurationMs: ms(300, 'n_plus_one_api_calls_total_duration_threshold'),
      maxGapMs: ms(15),
    },
  },
  consecutiveHttp: {
    sentry: 'consecutive_http_spans_detection_enabled',
    fields: {
      count: count(3, 2),
      minSpanMs: ms(500),
      maxGapMs: ms(500),
      minSavedMs: ms(2_000, 'consecutive_http_spans_min_time_saved_threshold'),
    },
  },
  largePayload: {
    sentry: 'large_http_payload_detection_enabled',
    fields: {
      minBytes: bytes(300_000, 'large_http_payload_size_threshold'),
      minDurationMs: ms(100),
    },
  },
  renderBlockingAsset: {
    sentry: 'large_render_blocking_asset_detection_enabled',
    fields: {
      minFcpMs: ms(2_000, 'render_blocking_fcp_min'),
      maxFcpMs: ms(10_000, 'render_blocking_fcp_max'),
      minFcpShare: share(0.33, 'render_blocking_fcp_ratio'),
      minBytes: bytes(500_000, 'render_blocking_bytes_min'),
    },
  },
  uncompressedAsset: {
    sentry: 'uncompressed_assets_detection_enabled',
    fields: {
      minBytes: bytes(500 * 1024, 'uncompressed_asset_size_threshold'),
      minDurationMs: ms(300, 'uncompressed_asset_duration_threshold'),
    },
  },
  httpOverhead: {
    sentry: 'http_overhead_detection_enabled',
    fields: { minDelayMs: ms(500, 'http_request_delay_threshold') },
  },
  fileIoOnMainThread: {
    sentry: 'file_io_on_main_thread_detection_enabled',
    fields: {
      minDurationMs: ms(16, 'file_io_on_main_thread_duration_threshold'),
    },
  },
  dbOnMainThread: {
    sentry: 'db_on_main_thread_detection_enabled',
    fields: { minDurationMs: ms(16, 'db_on_main_thread_duration_threshold') },
  },
  queryInjection: {
    sentry: 'db_query_injection_detection_enabled',
    fields: {
      minLength: {
        fallback: 3,
        least: 2,
        most: 100,
        unit: 'characters',
        sentry: 'sql_injection_query_value_length_threshold',
      },
    },
  },
} as const satisfies Record<DetectorName, Detector>;

type Table = typeof detectorTable;

/** Each detector's switch and thresholds. */
export type PerformanceSettings = {
  readonly [Name in DetectorName]: { readonly enabled: boolean } & {
    readonly [Key in keyof Table[Name]['fields']]: number;
  };
};

/** What a change may carry; what is left out stays. */
export type PerformancePatch = { readonly [Name in DetectorName]?: Partial<PerformanceSettings[Name]> | undefined };

export const detectorNames = Object.keys(detectorTable) as DetectorName[];

export const fieldsOf = (name: DetectorName): readonly (readonly [key: string, field: Field])[] =>
  Object.entries<Field>(detectorTable[name].fields);

/** Every threshold has its text. */
const labels: Readonly<Record<ThresholdName, string>> = thresholds;
type ThresholdName = {
  [Name in DetectorName]: `${Name}.${keyof Table[Name]['fields'] & string}`;
}[DetectorName];

/** In words, for people who set it. */
export const labelOf = (name: DetectorName, key: string): string => labels[`${name}.${key}` as ThresholdName];

function schemaOf({ least, most, unit }: Field, label: string): z.ZodType {
  const number = unit === 'share' ? z.number() : z.int(invalid.whole);
  const sentence = invalid.range(least, most, unit === 'share' || unit === 'count' ? '' : unit);
  return number
    .min(least, sentence)
    .max(most, sentence)
    .describe(`${label}${unit === 'ms' ? ', ms' : ''}`);
}

/** An object with a value for each detector. Which thresholds it has is in the table, where types cannot follow. */
function perDetector<Value>(valueOf: (name: DetectorName) => unknown): Value {
  const entries: readonly (readonly unknown[])[] = detectorNames.map((name) => [name, valueOf(name)]);
  return Object.fromEntries(entries);
}

const detectorSchema = (name: DetectorName) =>
  z.strictObject({
    enabled: z.boolean(),
    ...Object.fromEntries(fieldsOf(name).map(([key, field]) => [key, schemaOf(field, labelOf(name, key))])),
  });

/** All of it, as the API gives it. */
export const performanceSchema: z.ZodType<PerformanceSettings> = z.strictObject(
  perDetector<{ readonly [Name in DetectorName]: z.ZodType<PerformanceSettings[Name]> }>(detectorSchema),
);

/** Every detector and every threshold may be left out. */
export const performancePatchSchema: z.ZodType<PerformancePatch> = z.strictObject(
  perDetector<{ readonly [Name in DetectorName]: z.ZodOptional<z.ZodType<Partial<PerformanceSettings[Name]>>> }>(
    (name) => detectorSchema(name).partial().optional(),
  ),
);

export const defaultPerformanceSettings = readPerformanceSettings(undefined);

/** What is missing or unreadable is the default, so that nothing stored can stop the detectors. */
export function readPerformanceSettings(stored: unknown): PerformanceSettings {
  const object = asObject(stored);
  return perDetector((name) => {
    const detector = asObject(object[name]);
    const fields = fieldsOf(name).map(([key, field]) => {
      const value = detector[key];
      const isValid = typeof value === 'number' && value >= field.least && value <= field.most;
      return [key, isValid ? value : field.fallback];
    });
    return { enabled: detector['enabled'] !== false, ...Object.fromEntries(fields) };
  });
}

/** The settings with what the patch says. */
export function patchPerformanceSettings(settings: PerformanceSettings, patch: PerformancePatch): PerformanceSettings {
  return perDetector((name) => {
    const said = Object.entries(patch[name] ?? {}).filter(([, value]) => value !== undefined);
    return { ...settings[name], ...Object.fromEntries(said) };
  });
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
