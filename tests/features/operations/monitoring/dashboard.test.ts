import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../../../src/project-root.ts';

/** What we use of Grafana's classic dashboard model, https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/ */
type Dashboard = {
  schemaVersion: number;
  templating: { list: { name: string; type: string; query: string }[] };
  panels: {
    id: number;
    type: string;
    datasource: { type: string; uid: string };
    gridPos: { x: number; y: number; w: number; h: number };
    targets: { refId: string; expr: string; legendFormat?: string }[];
  }[];
};

const folder = path.join(projectRoot, 'docs/monitoring');
const dashboard = JSON.parse(await readFile(path.join(folder, 'dashboard.json'), 'utf8')) as Dashboard; // our own file
const { panels } = dashboard;

test('each panel has a unique id, its own position in the 24 columns, and queries of the selected data source', () => {
  expect(dashboard.templating.list).toMatchObject([{ name: 'source', type: 'datasource', query: 'prometheus' }]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const taken = new Set<string>();
  for (const { type, datasource, gridPos, targets } of panels) {
    expect(type).toBe('timeseries');
    expect(datasource).toEqual({ type: 'prometheus', uid: '$' + '{source}' });
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    const columns = Array.from({ length: gridPos.w }, (_, at) => gridPos.x + at);
    for (const place of columns.flatMap((x) =>
      Array.from({ length: gridPos.h }, (_, at) => `${x},${gridPos.y + at}`),
    )) {
      expect(taken).not.toContain(place);
      taken.add(place);
    }
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
const left = hasPromtool ? '' : ' (skipped: this machine has no promtool)';

test.skipIf(!hasPromtool)(`Prometheus accepts the alerts and each query of the dashboard${left}`, async () => {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'studytrack-rules-'));
  onTestFinished(() => rm(temporary, { recursive: true }));
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
  const rules = queries.map((expr, at) => ({ record: `query_${at}`, expr }));
  const ofDashboard = path.join(temporary, 'rules.json');
  await writeFile(ofDashboard, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  for (const file of [path.join(folder, 'alerts.yml'), ofDashboard]) {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
  expect(queries.length).toBeGreaterThan(20);
});
