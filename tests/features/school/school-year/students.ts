import { createProject } from '../../../support/records.ts';
import type { TestApp, TestUser } from '../../../support/test-app.ts';

/** A student with half an hour of study on each of these days. */
export async function createStudent(app: TestApp, ...studied: string[]): Promise<TestUser> {
  const user = await app.createUser();
  const project = await createProject(app, user);
  for (const date of studied)
    await app
      .as(user)
      .post(`/api/projects/${project}/sessions`, { started_at: `${date}T10:00:00Z`, duration_seconds: 1800 })
      .expect(201);
  return user;
}
