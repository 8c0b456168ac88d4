import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../src/lib/project-root.ts';

export type Schema = {
  type?: string | string[];
  enum?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
};

export type Parameter = { in: 'path' | 'query' | 'header'; name: string; schema: Schema };

/** An operation in the OpenAPI document. */
export type Described = {
  id: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  isPublic: boolean;
  parameters: readonly Parameter[];
  /** The body, and whether it is a form. */
  body: Schema | undefined;
  /** A valid body. */
  example: Readonly<Record<string, unknown>>;
  isForm: boolean;
};

type DocumentedOperation = {
  operationId: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: Record<string, unknown> }> };
};

/** All operations of the published document. */
export async function readDocument(): Promise<Described[]> {
  const text = await readFile(path.join(projectRoot, 'docs/openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, DocumentedOperation>> }; // another test validates it
  delete paths['/api/events']; // its response does not end
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody }]) => {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        id: operationId,
        method: method.toUpperCase(),
        path: template,
        isPublic: security?.length === 0,
        parameters,
        body: content?.schema,
        example: content?.example ?? {},
        isForm: type === 'multipart/form-data',
      };
    }),
  );
}
