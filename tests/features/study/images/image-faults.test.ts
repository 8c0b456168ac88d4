import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../../../src/actor.ts';
import { createImageProcessor } from '../../../../src/features/study/images/image-processor.ts';
import { createImageService, type ImageServiceOptions } from '../../../../src/features/study/images/image-service.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { createLocalStorage } from '../../../../src/lib/storage/local-storage.ts';
import { type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { noise } from '../../../support/pictures.ts';

let app: ImageApp;
let folder: string;
let picture: string;
let project: number;
beforeAll(async () => {
  app = await startImageApp();
  folder = join(app.folders.UPLOADS_DIR, 'projects');
  picture = join(app.folders.UPLOADS_DIR, 'upload');
  await createLocalStorage(folder).put('made.png', import.meta.filename, ''); // creates the folder
  await noise(60, 45).png().toFile(picture);
});
afterAll(() => app.stop());

const admin = { id: 1, role: 'admin' } as Actor; // the fields that the service uses

/** The service with failing dependencies. */
function serviceWith(broken: Partial<ImageServiceOptions>) {
  const storage = createLocalStorage(folder);
  const processor = createImageProcessor({ concurrency: 1 });
  return createImageService({
    store: app.container.store,
    storage,
    processor,
    logger: createLogger('silent'),
    clock: () => new Date(),
    ...broken,
  });
}

beforeEach(async () => {
  project = await app.createProject(await app.createUser());
  await serviceWith({}).set(admin, project, picture);
});

test('a failed transaction removes the new file', async () => {
  const before = [await app.stored(), await app.imageOf(project)];
  const transaction = () => Promise.reject(new Error('Connection terminated'));
  const service = serviceWith({ store: { ...app.container.store, transaction } });
  await expect(service.set(admin, project, picture)).rejects.toThrow('Connection terminated');
  expect([await app.stored(), await app.imageOf(project)]).toEqual(before);
});

test('an uncertain commit leaves both files, so that no row refers to a missing file', async () => {
  const former = await app.imageOf(project);
  const service = serviceWith({
    store: {
      ...app.container.store,
      transaction: async (_context, work) => {
        await app.container.store.asService(work);
        throw new Error('Connection terminated');
      },
    },
  });
  await expect(service.set(admin, project, picture)).rejects.toThrow('Connection terminated');
  const image = await app.imageOf(project);
  expect(image).not.toBe(former);
  for (const path of [image, former]) expect((await app.load(path ?? '')).status).toBe(200);
});

test('a failed write to the store changes nothing; a failed delete does not undo the update', async () => {
  const former = await app.imageOf(project);
  const storage = createLocalStorage(folder);
  const fail = () => Promise.reject(new Error('the store is down'));
  await expect(serviceWith({ storage: { ...storage, put: fail } }).set(admin, project, picture)).rejects.toThrow(
    'the store is down',
  );
  expect(await app.imageOf(project)).toBe(former);

  const { image_url } = await serviceWith({ storage: { ...storage, delete: fail } }).set(admin, project, picture);
  expect(await app.imageOf(project)).toBe(image_url);
  expect((await app.load(former ?? '')).status).toBe(200);
});
