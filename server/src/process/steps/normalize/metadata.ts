/** Parts that describe the sender: contexts, modules, SDK, debug images. */
import type { Sdk } from '../event.ts';
import { asList, asObject, asText, type JsonObject } from '../json.ts';
import { countLimits, cutText, textLimits } from '../limits.ts';

/** One object per name; `type` says what it is where the name does not. */
export function parseContexts(value: unknown): Record<string, JsonObject> | undefined {
  const raw = asObject(value);
  if (!raw) return undefined;
  const contexts: Record<string, JsonObject> = {};
  let count = 0;
  for (const name in raw) {
    const context = asObject(raw[name]);
    if (!context || name === 'reprocessing' || name === '__proto__' || name === '') continue;
    if (++count > countLimits.contexts) break;
    contexts[cutText(name, textLimits.short)] = context;
  }
  if (count === 0) return undefined;
  if (contexts.trace && contexts.trace.status === undefined) contexts.trace.status = 'unknown';
  return contexts;
}

export function parseModules(value: unknown): Record<string, string> | undefined {
  const modules: Record<string, string> = {};
  let count = 0;
  const raw = asObject(value);
  for (const name in raw) {
    const version = asText(raw[name]);
    if (version === undefined || name === '__proto__') continue;
    if (++count > countLimits.modules) break;
    modules[cutText(name, textLimits.type)] = cutText(version, textLimits.short);
  }
  return count === 0 ? undefined : modules;
}

export function parseSdk(value: unknown): Sdk | undefined {
  const raw = asObject(value);
  if (!raw) return undefined;
  const sdk: Sdk = { name: short(raw.name), version: short(raw.version) };
  const integrations = asList(raw.integrations);
  if (integrations) {
    sdk.integrations = integrations.slice(0, countLimits.integrations).flatMap((name) => short(name) ?? []);
  }
  const packages = asList(raw.packages);
  if (packages) {
    sdk.packages = packages.slice(0, countLimits.integrations).flatMap((entry) => {
      const known = asObject(entry);
      return known ? [{ name: short(known.name), version: short(known.version) }] : [];
    });
  }
  const inferIp = asText(asObject(raw.settings)?.infer_ip);
  if (inferIp !== undefined) sdk.settings = { infer_ip: cutText(inferIp, textLimits.symbol) };
  const clientIp = asText(raw.client_ip);
  if (clientIp !== undefined) sdk.client_ip = cutText(clientIp, textLimits.symbol);
  return sdk;
}

/** Images are flat objects of texts and numbers; symbolication matches their paths, so these stay long. */
export function parseDebugMeta(value: unknown): JsonObject | undefined {
  const images = asList(asObject(value)?.images);
  if (!images) return undefined;
  const kept: JsonObject[] = [];
  for (const entry of images.slice(0, countLimits.images)) {
    const raw = asObject(entry);
    if (!raw) continue;
    const image: JsonObject = {};
    for (const key in raw) {
      const field = raw[key];
      if (key.length > 64 || key === '__proto__') continue;
      if (typeof field === 'string') image[key] = cutText(field, textLimits.absPath);
      else if (typeof field === 'number') image[key] = field;
    }
    kept.push(image);
  }
  return kept.length === 0 ? undefined : { images: kept };
}

function short(value: unknown): string | undefined {
  const text = asText(value);
  return text === undefined ? undefined : cutText(text, textLimits.type);
}
