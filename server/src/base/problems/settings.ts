/**
 * What each detector's thresholds are, by default and at most: one table, from which validation, defaults and the names
 * under which Sentry's clients know them are made.
 */
import { z } from 'zod';
import type { DetectorName } from './types.ts';

interface Field {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
  readonly unit: 'ms' | 'bytes' | 'count' | 'share' | 'characters';
  /** In words, for people who set it. */
  readonly help: string;
  /** Its name in Sentry's project settings, where there is one. */
  readonly sentry?: string;
}

interface Detector {
  /** Name of Sentry's switch for it. */
  readonly sentry: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const minuteMs = 60_000;
const ms = (fallback: number, help: string, sentry?: string): Field => ({
  fallback,
  least: 1,
  most: 10 * minuteMs,
  unit: 'ms',
  help,
  ...(sentry !== undefined && { sentry }),
});
const count = (fallback: number, least: number, help: string, sentry?: string): Field => ({
  fallback,
  least,
  most: 100,
  unit: 'count',
  help,
  ...(sentry !== undefined && { sentry }),
});
const bytes = (fallback: number, help: string, sentry?: string): Field => ({
  fallback,
  least: 1_000,
  most: 1_000_000_000,
  unit: 'bytes',
  help,
  ...(sentry !== undefined && { sentry }),
});
const share = (fallback: number, help: string, sentry?: string): Field => ({
  fallback,
  least: 0.01,
  most: 1,
  unit: 'share',
  help,
  ...(sentry !== undefined && { sentry }),
});

export const detectorTable = {
  nPlusOneDb: {
    sentry: 'n_plus_one_db_queries_detection_enabled',
    fields: {
      count: count(5, 2, 'consecutive equal queries', 'n_plus_one_db_count'),
      minDurationMs: ms(50, 'total time of the repeated queries', 'n_plus_one_db_duration_threshold'),
    },
  },
  mnPlusOneDb: {
    sentry: 'm_n_plus_one_db_queries_detection_enabled',
    fields: {
      repetitions: count(3, 2, 'repetitions of the pattern'),
      minDurationMs: ms(50, 'total time of the repetitions'),
      minDbShare: share(0.05, 'share of queries in that time'),
    },
  },
  consecutiveDb: {
    sentry: 'consecutive_db_queries_detection_enabled',
    fields: {
      minSavedMs: ms(100, 'time saved by running them in parallel', 'consecutive_db_min_time_saved_threshold'),
      minSavedShare: share(0.1, 'the same as a share of their time'),
      minSpanMs: ms(30, 'minimum duration of each query'),
    },
  },
  slowDb: {
    sentry: 'slow_db_queries_detection_enabled',
    fields: { minDurationMs: ms(500, 'duration of the query', 'slow_db_query_duration_threshold') },
  },
  nPlusOneApi: {
    sentry: 'n_plus_one_api_calls_detection_enabled',
    fields: {
      count: count(5, 2, 'calls of the same kind'),
      minDurationMs: ms(300, 'total time of the calls', 'n_plus_one_api_calls_total_duration_threshold'),
      maxGapMs: ms(15, 'maximum time between the starts of two calls'),
    },
  },
  consecutiveHttp: {
    sentry: 'consecutive_http_spans_detection_enabled',
    fields: {
      count: count(3, 2, 'consecutive calls'),
      minSpanMs: ms(500, 'duration of each call'),
      maxGapMs: ms(500, 'maximum time between two calls'),
      minSavedMs: ms(
        2_000,
        'time saved by running them in parallel',
        'consecutive_http_spans_min_time_saved_threshold',
      ),
    },
  },
  largePayload: {
    sentry: 'large_http_payload_detection_enabled',
    fields: {
      minBytes: bytes(300_000, 'minimum size of the body', 'large_http_payload_size_threshold'),
      minDurationMs: ms(100, 'duration of the call'),
    },
  },
  renderBlockingAsset: {
    sentry: 'large_render_blocking_asset_detection_enabled',
    fields: {
      minFcpMs: ms(2_000, 'minimum first contentful paint', 'render_blocking_fcp_min'),
      maxFcpMs: ms(10_000, 'maximum first contentful paint', 'render_blocking_fcp_max'),
      minFcpShare: share(0.33, 'minimum share of the asset in it', 'render_blocking_fcp_ratio'),
      minBytes: bytes(500_000, 'minimum size of the asset', 'render_blocking_bytes_min'),
    },
  },
  uncompressedAsset: {
    sentry: 'uncompressed_assets_detection_enabled',
    fields: {
      minBytes: bytes(500 * 1024, 'minimum size of the asset', 'uncompressed_asset_size_threshold'),
      minDurationMs: ms(300, 'minimum load time', 'uncompressed_asset_duration_threshold'),
    },
  },
  httpOverhead: {
    sentry: 'http_overhead_detection_enabled',
    fields: { minDelayMs: ms(500, 'minimum wait of the last call for a connection', 'http_request_delay_threshold') },
  },
  fileIoOnMainThread: {
    sentry: 'file_io_on_main_thread_detection_enabled',
    fields: {
      minDurationMs: ms(16, 'time that the main thread was blocked', 'file_io_on_main_thread_duration_threshold'),
    },
  },
  dbOnMainThread: {
    sentry: 'db_on_main_thread_detection_enabled',
    fields: { minDurationMs: ms(16, 'time that the main thread was blocked', 'db_on_main_thread_duration_threshold') },
  },
  queryInjection: {
    sentry: 'db_query_injection_detection_enabled',
    fields: {
      minLength: {
        fallback: 3,
        least: 2,
        most: 100,
        unit: 'characters',
        help: 'minimum length of request parameters to check',
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

function schemaOf({ least, most, unit, help }: Field): z.ZodType {
  const number = unit === 'share' ? z.number() : z.int('must be a whole number');
  const sentence = `must be from ${least} to ${most}${unit === 'share' || unit === 'count' ? '' : ` ${unit}`}`;
  return number
    .min(least, sentence)
    .max(most, sentence)
    .describe(`${help}${unit === 'ms' ? ', ms' : ''}`);
}

/** An object with a value for each detector. Which thresholds it has is in the table, where types cannot follow. */
function perDetector<Value>(valueOf: (name: DetectorName) => unknown): Value {
  const entries: readonly (readonly unknown[])[] = detectorNames.map((name) => [name, valueOf(name)]);
  return Object.fromEntries(entries);
}

const detectorSchema = (name: DetectorName) =>
  z.strictObject({
    enabled: z.boolean(),
    ...Object.fromEntries(fieldsOf(name).map(([key, field]) => [key, schemaOf(field)])),
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
