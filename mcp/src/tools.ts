import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { type Client, isApiError } from '../../client/src/index.ts';

const dayMs = 86_400_000;
const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const projectId = z.number().int().positive().describe('The id of a project, from list_projects.');
const note = z.string().max(500).optional().describe('What was studied.');

/** The service decides what the token may do; its refusal is what the assistant reads. */
async function result(work: () => Promise<unknown>) {
  const asText = (value: unknown, isError: boolean) => ({
    content: [{ type: 'text' as const, text: typeof value === 'string' ? value : JSON.stringify(value) }],
    isError,
  });
  try {
    return asText(await work(), false);
  } catch (error) {
    if (!isApiError(error))
      return asText(`The service cannot be reached: ${error instanceof Error ? error.message : error}`, true);
    return asText(
      [error.message, ...error.details.map(({ field, message }) => `${field}: ${message}`)].join('\n'),
      true,
    );
  }
}

export function addTools(server: McpServer, client: Client): void {
  server.registerTool(
    'who_am_i',
    { description: 'The account of the token: name, role, time zone and goals.', annotations: reads },
    () => result(async () => (await client.get('/api/me')).data),
  );

  server.registerTool(
    'list_projects',
    {
      description: 'Projects with own hours, target and due date, most recently studied first.',
      inputSchema: { search: z.string().max(50).optional().describe('Part of the name.') },
      annotations: reads,
    },
    ({ search }) =>
      result(async () => {
        const filter = { status: 'active', limit: 50, sort: 'own_last_session', order: 'desc' } as const;
        const query = { ...filter, ...(search !== undefined && { search }) };
        const { projects, pagination } = (await client.get('/api/projects', { query })).data;
        const shown = projects.map(
          ({ id, name, own_hours, own_progress, target_hours, due_date, weekly_goal_hours, own_last_session }) => ({
            id,
            name,
            own_hours,
            own_progress,
            target_hours,
            due_date,
            weekly_goal_hours,
            own_last_session,
          }),
        );
        return { projects: shown, total: pagination.total };
      }),
  );

  server.registerTool(
    'start_timer',
    {
      description: 'Start the timer on a project; a running one is stopped and recorded.',
      inputSchema: { project_id: projectId, note },
      annotations: writes,
    },
    ({ project_id, note = '' }) =>
      result(async () => (await client.post('/api/timer/start', { body: { project_id, note } })).data),
  );

  server.registerTool('stop_timer', { description: 'Stop the running timer and record it.', annotations: writes }, () =>
    result(async () => (await client.post('/api/timer/stop', { body: {} })).data),
  );

  server.registerTool(
    'log_study',
    {
      description: 'Record study that has already happened.',
      inputSchema: {
        project_id: projectId,
        started_at: z.iso
          .datetime({ offset: true })
          .describe('ISO 8601 with a zone, such as 2026-02-01T18:00:00+08:00.'),
        minutes: z.number().int().min(1).max(1440),
        note,
      },
      annotations: writes,
    },
    ({ project_id: id, started_at, minutes, note = '' }) =>
      result(async () => {
        const body = { started_at, duration_seconds: minutes * 60, note };
        return (await client.post('/api/projects/{id}/sessions', { params: { id }, body })).data;
      }),
  );

  server.registerTool(
    'today',
    {
      description: 'Today: hours, goals, streak, the running timer, what to continue and the goals at risk.',
      annotations: reads,
    },
    () => result(async () => (await client.get('/api/dashboard')).data),
  );

  server.registerTool(
    'week',
    {
      description: 'The last seven days: hours in all, by project and tag, compared with the seven days before.',
      annotations: reads,
    },
    () =>
      result(async () => {
        const { date: to } = (await client.get('/api/dashboard')).data; // today where the user is
        const from = new Date(Date.parse(to) - 6 * dayMs).toISOString().slice(0, 10);
        return (await client.get('/api/stats', { query: { from, to } })).data;
      }),
  );

  server.registerTool(
    'needs_attention',
    {
      description:
        'For administrators: students by urgency (silent, overdue, behind, …) with hours and goals, and how many are in each state.',
      inputSchema: { group_id: z.number().int().positive().optional().describe('Only the students of this class.') },
      annotations: reads,
    },
    ({ group_id }) =>
      result(async () => {
        const order = { sort: 'urgency', order: 'desc', limit: 30 } as const;
        const query = { ...order, ...(group_id !== undefined && { group_id }) };
        const { users, counts } = (await client.get('/api/admin/progress', { query })).data;
        const shown = users.map(({ user_id, username, display_name, state, hours_7d, goals, last_session, groups }) => {
          const classes = groups.map(({ name }) => name);
          return { user_id, username, display_name, state, hours_7d, goals, last_session, classes };
        });
        return { counts, users: shown };
      }),
  );
}
