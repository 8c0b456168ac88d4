import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../../../src/project-root.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

const docs = (file: string) => readFile(path.join(projectRoot, 'docs', file), 'utf8');
const rules = await docs('monitoring/alerts.yml');
const dashboard = await docs('monitoring/dashboard.json');

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** The metric names in the expressions, excluding functions and labels. */
function metricsOf(expressions: readonly string[]): string[] {
  const names = expressions.flatMap((expression) =>
    expression
      .replace(/\b(by|without) \([^)]*\)/g, '')
      .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, '')
      .match(/\b[a-z]\w*_\w+\b(?!\s*\()/g),
  );
  return [...new Set(names.filter((name) => name !== null))];
}

test('alerts and dashboard use metrics that the service exposes', async () => {
  const { text } = await app.anonymous.get('/metrics').expect(200);
  const exposed = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
  for (const suffix of ['bucket', 'count']) exposed.add(`http_request_duration_seconds_${suffix}`);
  const shown = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }; // our own file
  const used = metricsOf([
    ...[...rules.matchAll(/expr: (>-\n(?: {10}.*\n)+|.*)/g)].map(([, expression = '']) => expression),
    ...shown.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]);
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((name) => !exposed.has(name) && !name.startsWith('patroni_'))).toEqual([]);
});

test('the runbook has a section for each alert', async () => {
  const headings = [...(await docs('operations.md')).matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual([...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name));
});

test('the statements of the run book can be executed', async () => {
  const statements = [...(await docs('operations.md')).matchAll(/^```sql\n(.*?)^```/gms)].map(([, text = '']) => text);
  expect(statements).not.toEqual([]);
  for (const statement of statements) expect(await app.query(statement)).toBeInstanceOf(Array);
});
