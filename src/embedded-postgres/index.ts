import path from 'node:path';
import { prepareCluster } from './cluster.ts';
import { supervise } from './supervisor.ts';

export { EmbeddedPostgresError } from './error.ts';

export type EmbeddedPostgres = {
  url: string;
  adminUrl: string;
  attached: boolean;
  pid: number;
  /** The last process shuts the server down and waits until it has exited. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  durable?: boolean;
  log?: (message: string) => void;
  database?: string;
};

/** Starts or joins the server in `dataDir`, and restarts it at the same address when it exits. Throws EmbeddedPostgresError. */
export async function startEmbeddedPostgres({
  dataDir,
  durable = true,
  log = () => undefined,
  database = 'studytrack',
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(path.resolve(dataDir), durable, log);
  return supervise(cluster, database, log);
}
