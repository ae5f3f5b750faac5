/** The platform of a span: senders of today do not say it, so it follows from the SDK and the language it names. */
import { parsePlatform } from '../normalize/level.ts';
import { asText } from '../json.ts';
import type { ReadAttributes } from './attributes.ts';
import type { SpanInput } from './input.ts';

/** `telemetry.sdk.language` by the platforms' names. */
const byLanguage: Readonly<Record<string, string>> = {
  nodejs: 'node',
  webjs: 'javascript',
  dotnet: 'csharp',
  cpp: 'native',
  erlang: 'elixir',
};

/** SDKs of JavaScript that run on servers alone. */
const onServers =
  /^sentry\.javascript\.(?:node|bun|deno|cloudflare|vercel-edge|aws-serverless|google-cloud-serverless|nestjs|hono|elysia|opentelemetry)/;

export function platformOf(raw: Pick<SpanInput, 'sender'>, { columns, attributes }: ReadAttributes): string {
  const said = raw.sender?.platform ?? asText(columns['sentry.platform']);
  if (said !== undefined) return parsePlatform(said);
  const sdk = raw.sender?.sdkName ?? asText(columns['sentry.sdk.name']) ?? '';
  if (sdk.startsWith('sentry.javascript.')) {
    const server =
      onServers.test(sdk) || attributes['process.runtime.name'] || attributes['process.runtime.engine.name'];
    // Frameworks' SDKs run on both sides; only browsers ask for what their requests tell.
    if (server) return 'node';
    return raw.sender?.inferUserAgent ||
      attributes['user_agent.original'] ||
      /browser|react$|vue|svelte$|angular/.test(sdk)
      ? 'javascript'
      : 'node';
  }
  const ofSdk = /^sentry\.([a-z]{1,20})/.exec(sdk)?.[1];
  if (ofSdk !== undefined && parsePlatform(ofSdk) !== 'other') return ofSdk;
  return platformOfLanguage(attributes['telemetry.sdk.language'] ?? '');
}

/** `language`: `telemetry.sdk.language`. */
export function platformOfLanguage(language: string): string {
  return parsePlatform(Object.hasOwn(byLanguage, language) ? byLanguage[language] : language);
}
