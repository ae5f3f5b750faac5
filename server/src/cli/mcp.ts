/** `culprit mcp`: the MCP server of a Culprit, for clients that start a program and speak with it by its pipes. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { mcp as texts } from '../base/texts/cli.ts';
import type { Command } from './command.ts';
import { openServerApi } from './server-api.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: texts.summary,
  usage: texts.usage,
  options: {},
  examples: ['culprit mcp', 'culprit mcp --url https://culprit.example.com'],
  /** Until the client closes its end. */
  async run(invocation) {
    const { url, token, get } = await openServerApi(invocation);
    // A wrong token is said before the client waits for an answer.
    await get('/auth/');
    const headers = { authorization: `Bearer ${token}` };
    // SDKs declare optional members otherwise than their interface does.
    const http = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers, redirect: 'error' },
    });
    const server: Transport = http as Transport;
    const client = new StdioServerTransport();
    const closed = new Promise<void>((resolve) => {
      process.stdin.once('end', resolve);
      Object.assign(client, { onclose: resolve });
    });
    const under: Promise<void>[] = [];
    const toServer = async (message: JSONRPCMessage): Promise<void> => {
      try {
        await server.send(message);
      } catch (error) {
        // Whoever asked hears of it; what asks nothing has no answer.
        if (!('id' in message) || !('method' in message)) return;
        const said = error instanceof Error ? error.message : String(error);
        await client.send({ jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: said } });
      }
    };
    const toClient = (message: JSONRPCMessage): void => {
      const version = 'result' in message ? message.result['protocolVersion'] : undefined;
      if (typeof version === 'string') http.setProtocolVersion(version);
      void client.send(message);
    };
    Object.assign(client, { onmessage: (message: JSONRPCMessage) => void under.push(toServer(message)) });
    Object.assign(server, { onmessage: toClient });
    await server.start();
    await client.start();
    await closed;
    await Promise.all(under);
    await server.close();
  },
};
