/** Where the service is, for a person at a terminal. */
export function whereabouts(origin: string): string {
  return `
  Studytrack is ready    ${origin}
  API reference          ${origin}/docs
`;
}

export type NewAdmin = { username: string; password: string; passwordFile: string };

/** What to do first, once: every line can be pasted into a shell as it stands. */
export function firstSteps(origin: string, { username, password, passwordFile }: NewAdmin): string {
  const json = `-H 'Content-Type: application/json'`;
  const signedIn = `-H "Authorization: Bearer $TOKEN"`;
  const pick = (name: string) => `node -p 'JSON.parse(fs.readFileSync(0)).data.${name}'`;
  return `
  First administrator    ${username}
  Password               ${password}
  It is shown this once and kept in ${passwordFile}; change it with PUT /api/auth/password.

  Try it in another terminal:

  # 1. Sign in
  TOKEN=$(curl -s ${origin}/api/auth/login ${json} -d '${JSON.stringify({ username, password })}' | ${pick('token')})

  # 2. Make an account for a student
  USER_ID=$(curl -s ${origin}/api/admin/users ${signedIn} ${json} -d '{"username":"lin","email":"lin@example.org","display_name":"Lin"}' | ${pick('id')})

  # 3. Make a project that this student works on
  PROJECT_ID=$(curl -s ${origin}/api/projects ${signedIn} ${json} -d '{"name":"Linear algebra","target_hours":40,"assigned_user_ids":['$USER_ID']}' | ${pick('id')})

  # 4. Assign projects to students, any number at once
  curl -sw '\\n' ${origin}/api/projects/batch-assign ${signedIn} ${json} -d '{"project_ids":['$PROJECT_ID'],"assigned_user_ids":['$USER_ID']}'

  # 5. List the projects
  curl -sw '\\n' ${origin}/api/projects ${signedIn}
`;
}
