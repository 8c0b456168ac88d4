export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export const useDatabaseUrl = 'Set DATABASE_URL to use a PostgreSQL server of your own instead.';

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
