/** What a transaction says about its surroundings, as attributes of its segment under the names that spans use. */
import type { Event } from '../../steps/event.ts';
import { asObject, asText, type JsonObject } from '../../steps/json.ts';

/** Context and field → attribute. */
const fromContexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  browser: { name: 'browser.name', version: 'browser.version' },
  os: { name: 'os.name', version: 'os.version', kernel_version: 'os.kernel_version', build: 'os.build_id' },
  client_os: { name: 'client_os.name', version: 'client_os.version' },
  runtime: { name: 'process.runtime.name', version: 'process.runtime.version' },
  device: {
    family: 'device.family',
    model: 'device.model',
    brand: 'device.brand',
    arch: 'device.arch',
    memory_size: 'device.memory_size',
    free_memory: 'device.free_memory',
    processor_count: 'device.processor_count',
    processor_frequency: 'device.processor_frequency',
    cpu_description: 'device.cpu_description',
    boot_time: 'device.boot_time',
  },
  app: {
    app_start_time: 'app.start_time',
    app_memory: 'app.memory',
    free_memory: 'app.free_memory',
    app_name: 'app.name',
    app_version: 'app.version',
    app_build: 'app.build',
  },
  culture: { locale: 'culture.locale', timezone: 'culture.timezone', calendar: 'culture.calendar' },
  react: { version: 'react.version' },
  response: { status_code: 'http.response.status_code', body_size: 'http.response.body.size' },
  replay: { replay_id: 'sentry.replay_id' },
  profile: { profiler_id: 'sentry.profiler_id', profile_id: 'sentry.profile_id' },
};

/** Say the same of each transaction, or what columns hold. */
const leftOut = new Set(['trace', 'otel', 'cloud_resource']);

/** Adds what the attributes do not have. The event is normalised and scrubbed. */
export function addSurroundings(attributes: JsonObject, event: Event): void {
  const set = (name: string, value: unknown): void => {
    if (value !== undefined && value !== '' && name !== '__proto__' && !Object.hasOwn(attributes, name)) {
      attributes[name] = value;
    }
  };
  for (const name in event.contexts) {
    const context = event.contexts[name];
    if (!context || leftOut.has(name)) continue;
    const fields = Object.hasOwn(fromContexts, name) ? fromContexts[name] : undefined;
    if (fields) for (const field in fields) set(fields[field] ?? field, trimmed(context[field]));
    else set(`contexts.${name}`, context);
  }
  addOtelResource(event, set);
  // Where the service goes by another name.
  if (event.platform !== 'node' && event.platform !== 'javascript') set('host.name', event.server_name);
  addRequest(event, set);
  for (const [key, value] of event.tags) set(key, value);
  if (event.extra) for (const key in event.extra) set(`extra.${key}`, event.extra[key]);
  set('user.id', event.user?.id);
  set('user.name', event.user?.username);
  set('user.email', event.user?.email);
  set('user.ip_address', event.user?.ip_address);
}

/** SDKs of Sentry name themselves there as the service. */
function addOtelResource(event: Event, set: (name: string, value: unknown) => void): void {
  const resource = asObject(event.contexts?.otel?.resource);
  if (!resource || resource['service.namespace'] === 'sentry') return;
  for (const key in resource) set(key, resource[key]);
}

function addRequest({ request }: Event, set: (name: string, value: unknown) => void): void {
  if (!request) return;
  set('http.request.method', request.method);
  if (request.url !== undefined) {
    const query = (request.query_string ?? [])
      .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(asText(value) ?? '')}`)
      .join('&');
    set('url.full', query === '' ? request.url : `${request.url}?${query}`);
    set('url.query', query);
  }
  for (const [name, value] of request.headers ?? []) {
    if (name === 'User-Agent') set('user_agent.original', value);
    else set(`http.request.header.${name.toLowerCase()}`, value);
  }
  set('http.request.body.data', typeof request.data === 'object' ? JSON.stringify(request.data) : request.data);
}

/** Names of systems come with the line break that they were read with. */
function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}
