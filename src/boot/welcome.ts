export function addresses(origin: string): string {
  return `
  Studytrack is ready    ${origin}
  API reference          ${origin}/docs
`;
}

export type NewAdmin = { username: string; password: string; passwordFile: string };

/** Every line can be pasted into a shell. */
export function firstSteps(origin: string, { username, password, passwordFile }: NewAdmin): string {
  const json = `-H 'Content-Type: application/json'`;
  const signedIn = `-H "Authorization: Bearer $TOKEN"`;
  const pick = (name: string) => `node -p 'JSON.parse(fs.readFileSync(0)).data.${name}'`;
  return `
  First administrator    ${username}
  Password               ${password}
  It is shown only once and stored in ${passwordFile}; change it with PUT /api/auth/password.

  Try it in another terminal:

  # 1. Sign in
  TOKEN=$(curl -s ${origin}/api/auth/login ${json} -d '${JSON.stringify({ username, password })}' | ${pick('token')})

  # 2. Create an account for a student
  USER_ID=$(curl -s ${origin}/api/admin/users ${signedIn} ${json} -d '{"username":"lin","email":"lin@example.org","display_name":"Lin"}' | ${pick('id')})

  # 3. Create a project and assign this student
  PROJECT_ID=$(curl -s ${origin}/api/projects ${signedIn} ${json} -d '{"name":"Linear algebra","target_hours":40,"assigned_user_ids":['$USER_ID']}' | ${pick('id')})

  # 4. Assign any number of projects to any number of students
  curl -sw '\\n' ${origin}/api/projects/batch-assign ${signedIn} ${json} -d '{"project_ids":['$PROJECT_ID'],"assigned_user_ids":['$USER_ID']}'

  # 5. List the projects
  curl -sw '\\n' ${origin}/api/projects ${signedIn}
`;
}
