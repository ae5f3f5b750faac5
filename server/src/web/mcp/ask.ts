/** Calls of the API within the process, as the agent whose message it is: their token, address and program. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiAnswer, ApiRequest, Ask } from './tool.ts';

export function askApi(
  app: Pick<FastifyInstance, 'inject'>,
  prefix: string,
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  authorization: string,
): Ask {
  const { host, 'user-agent': agent } = headers;
  return async ({ method, path, query = {}, body }: ApiRequest): Promise<ApiAnswer> => {
    const answer = await app.inject({
      method,
      url: `${prefix}${path}`,
      query: Object.fromEntries(
        Object.entries(query).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : String(value)]],
        ),
      ),
      headers: {
        authorization,
        ...(host !== undefined && { host }),
        ...(agent !== undefined && { 'user-agent': agent }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      remoteAddress: ip,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      body: isJson && answer.body !== '' ? (JSON.parse(answer.body) as unknown) : answer.body,
      next: nextOf(String(answer.headers.link ?? '')),
    };
  };
}

/** Of a Link header, where there is a next page. */
const nextOf = (link: string): string | undefined => /rel="next"; results="true"; cursor="([^"]*)"/.exec(link)?.[1];
