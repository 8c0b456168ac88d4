import path from 'node:path';
import { prepareCluster } from './cluster.ts';
import { supervise } from './supervisor.ts';

export { EmbeddedPostgresError } from './error.ts';

export type EmbeddedPostgres = {
  url: string;
  adminUrl: string;
  /** true while another process owns the server and this one has only joined it */
  attached: boolean;
  pid: number;
  /** Leaves the server; the last process to leave shuts it down and waits until it has exited. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** folder (mode 0700) that holds everything: `<dataDir>/postgres/{data,password,server.log}` */
  dataDir: string;
  /** false turns fsync off, for temporary test clusters; default true */
  durable?: boolean;
  log?: (message: string) => void;
  database?: string;
};

/**
 * Starts the bundled PostgreSQL on `dataDir`, or joins the server that another process runs there, and restarts it at
 * the same address whenever it exits.
 * @throws EmbeddedPostgresError when it cannot run here; the message says what to do
 */
export async function startEmbeddedPostgres({
  dataDir,
  durable = true,
  log = () => undefined,
  database = 'studytrack',
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(path.resolve(dataDir), durable, log);
  return supervise(cluster, database, log);
}
