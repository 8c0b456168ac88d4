#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from '../../client/src/index.ts';
import { addTools } from './tools.ts';

// biome-ignore lint/style/noProcessEnv: assistants give settings to the programs that they start by the environment
const { STUDYTRACK_URL = 'http://127.0.0.1:3000', STUDYTRACK_TOKEN, STUDYTRACK_TOKEN_FILE } = process.env;

function readToken(): string {
  if (STUDYTRACK_TOKEN) return STUDYTRACK_TOKEN;
  if (STUDYTRACK_TOKEN_FILE) return readFileSync(STUDYTRACK_TOKEN_FILE, 'utf8').trim();
  process.stderr.write(
    'Set STUDYTRACK_TOKEN, or STUDYTRACK_TOKEN_FILE, to a personal access token (Studytrack: Access tokens in the settings).\n',
  );
  process.exit(1);
}

const token = readToken();
const client = createClient({ baseUrl: STUDYTRACK_URL, token: () => token, renew: async () => undefined });
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const server = new McpServer(
  { name: 'studytrack', version },
  {
    instructions:
      'Study time, goals and progress. Hours are decimal, times are ISO 8601. Ask before recording or changing.',
  },
);
addTools(server, client);
await server.connect(new StdioServerTransport());
