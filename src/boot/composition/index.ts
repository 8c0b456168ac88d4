import { createAccounts } from '../../features/accounts/accounts.ts';
import { inOrder } from '../../features/accounts/users/leaving.ts';
import { createContact } from '../../features/contact/contact.ts';
import { createIntegrations } from '../../features/integrations/integrations.ts';
import { createChannels } from '../../features/operations/channels/channels.ts';
import { createMetaRoutes } from '../../features/operations/meta/meta-routes.ts';
import { createPlatform, type PlatformOptions } from '../../features/operations/platform.ts';
import { schoolLeaving } from '../../features/school/leaving.ts';
import { createSchool } from '../../features/school/school.ts';
import { createStudy } from '../../features/study/study.ts';
import { createFileReceiver } from '../../http/upload.ts';
import { fillExampleSchool } from '../example-school/example-school.ts';
import { connect } from './database.ts';

export type Container = ReturnType<typeof createContainer>;
export type ContainerOptions = Omit<PlatformOptions, 'store'>;

/** The composition root. It neither connects nor listens. */
export function createContainer(options: ContainerOptions) {
  const platform = createPlatform({ ...options, store: connect(options.database) });
  const { config } = platform;
  const study = createStudy(platform);
  const channels = createChannels(platform);
  const contact = createContact(platform, channels.outbox);
  const accounts = createAccounts(platform, {
    leaving: inOrder([schoolLeaving, study.leaving]),
    recomputeAwards: study.recomputeAwards,
    resolveContactRequest: contact.resolveContactRequest,
    resetLimit: contact.resetLimit,
    fillExampleSchool: (tx, head, studentHash, now) =>
      fillExampleSchool(tx, { 'he.laoshi': head, 'margaret.green': head }, studentHash, now),
  });
  const school = createSchool(platform, accounts, study, channels.outbox);
  const integrations = createIntegrations(platform, accounts, study);
  const areas = [accounts, study, school, contact, channels, integrations, platform];
  const operations = areas.flatMap((area) => area.operations);
  const { users, auth, secondFactor, tokens, personalTokens, identities, mail } = accounts;
  const { projects, sessions, timer, imageStorage } = study;
  return {
    ...platform,
    services: { users, auth, secondFactor, projects, tokens, sessions, timer },
    tokens,
    personalTokens,
    identities,
    mail,
    imageStorage,
    receiveFile: createFileReceiver({ folder: config.incomingDir }),
    operations: [...operations, ...createMetaRoutes({ config, operations })],
    jobs: areas.flatMap((area) => area.jobs),
  };
}
