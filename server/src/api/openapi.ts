/** The OpenAPI 3.1 document of the API, made from the endpoints alone. */
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Endpoint } from './shared/endpoint.ts';
import { endpoints } from './endpoints.ts';
import { apiPrefix, routeSchema } from './shared/route-schema.ts';

type Json = Record<string, unknown>;

/** zod gives each integer the bounds of exact doubles, which only make the document longer. */
const zodToJsonConfig: NonNullable<Parameters<typeof createJsonSchemaTransform>[0]['zodToJsonConfig']> = {
  override({ jsonSchema }) {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
};

const reference = '#/components/schemas/';

function referencesIn(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string') found.add(child.replace(reference, ''));
    else referencesIn(child, found);
  }
}

/**
 * Every named schema comes twice, as it is sent (`…Input`) and as it is answered. Keeps those that something refers
 * to, and takes the suffix away where the other one went.
 */
function pruneSchemas(document: Json): Json {
  const components = document['components'] as Json;
  const schemas = components['schemas'] as Json;
  const used = new Set<string>();
  referencesIn(document['paths'], used);
  for (const name of used) referencesIn(schemas[name], used);
  const name = (old: string): string => {
    const short = old.replace(/Input$/, '');
    return used.has(short) ? old : short;
  };
  const kept = Object.fromEntries([...used].sort().map((old) => [name(old), schemas[old]]));
  const text = JSON.stringify({ ...document, components: { ...components, schemas: kept } });
  return JSON.parse(
    text.replaceAll(/"#\/components\/schemas\/(\w+)"/g, (_, old: string) => `"${reference}${name(old)}"`),
  ) as Json;
}

export async function openApiDocument(): Promise<Json> {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Culprit',
        version: '0',
        description:
          "Sentry's paths and shapes, and Culprit's own in the same style for resources that Sentry does not have. " +
          'GET responses have an ETag. With If-None-Match, an unchanged response is 304.',
      },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'An API token.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'culprit.session_token',
            description: 'The cookie of a signed-in browser; with https its name starts with `__Host-`.',
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
  });
  // In an order that does not depend on which resource comes first.
  const address = ({ url, method }: Endpoint): string => `${url} ${method}`;
  for (const endpoint of endpoints.toSorted((a, b) => (address(a) < address(b) ? -1 : 1))) {
    app.route({
      method: endpoint.method,
      url: `${apiPrefix}${endpoint.url}`,
      schema: routeSchema(endpoint),
      handler: () => undefined,
    });
  }
  await app.ready();
  const document = app.swagger() as unknown as Json;
  await app.close();
  return pruneSchemas(document);
}
