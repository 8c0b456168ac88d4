import path from 'node:path';
import { prepareCluster } from './cluster.ts';
import { supervise } from './supervisor.ts';

export { EmbeddedPostgresError } from './error.ts';

export type EmbeddedPostgres = {
  /** postgres://… of the application's database */
  url: string;
  /** url of the maintenance database on the same server */
  adminUrl: string;
  /** true while another process of ours answers for the server and we only joined it */
  attached: boolean;
  pid: number;
  /** Leaves the server; the last process to leave stops it (fast shutdown) and waits until it is gone. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** folder (made 0700) that holds all of it: `<dataDir>/postgres/{data,password,server.log}` */
  dataDir: string;
  /** false turns fsync and the like off, for throw-away test clusters; default true */
  durable?: boolean;
  log?: (message: string) => void;
  /** default 'studytrack' */
  database?: string;
};

/**
 * Starts the bundled PostgreSQL on `dataDir`, or joins the server that another process runs there, and from then on
 * starts it again, at the same address, whenever it is gone.
 * @throws EmbeddedPostgresError when it cannot run here, with what to do
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
