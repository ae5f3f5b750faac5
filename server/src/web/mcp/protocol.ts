/** One message of an agent, answered by the official library. Loaded with the first one: most servers have no agents. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { mcp as texts } from '../../base/texts/mcp.ts';
import { version } from '../../base/version.ts';
import type { ToolContext } from './tool.ts';
import { tools } from './tools/index.ts';

/** With the tools that the caller may use. */
export function createMcpServer(context: ToolContext, mayWrite: boolean): McpServer {
  const { title, instructions } = texts;
  const server = new McpServer({ name: 'culprit', title, version }, { instructions });
  for (const { writes, register } of tools) if (mayWrite || !writes) register(server, context);
  return server;
}

/** Nothing is remembered from one message to the next, so any node answers any of them. */
export async function answerMessage(server: McpServer, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}
