import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../src/project-root.ts';

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

export type Parameter = { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: Schema };

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

type Reference = { $ref?: string };
type DocumentedOperation = {
  operationId: string;
  'x-alias-of'?: string;
  security?: object[];
  parameters?: (Parameter & Reference)[];
  requestBody?: Reference & { content: Record<string, { schema: Schema; example?: Record<string, unknown> }> };
};

type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: Record<string, Record<string, object>>;
};

/** All operations of the published document, without their other names. */
export async function readDocument(): Promise<Described[]> {
  const text = await readFile(path.join(projectRoot, 'docs/openapi.json'), 'utf8');
  const { paths, components } = JSON.parse(text) as Document; // another test validates it
  /** With the components that are referred to in their places. */
  const resolve = <Part>(part: Part): Part => {
    if (Array.isArray(part)) return part.map(resolve) as Part;
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...own }: Reference = part;
    const [, , kind = '', name = ''] = $ref?.split('/') ?? [];
    const whole: object = { ...components[kind]?.[name], ...own };
    return Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, resolve(value)])) as Part;
  };
  delete paths['/api/events']; // its response does not end
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, security, parameters = [], requestBody, ...other }]) => {
      if (other['x-alias-of'] !== undefined) return [];
      const [type, content] = Object.entries(resolve(requestBody)?.content ?? {})[0] ?? [];
      return {
        id: operationId,
        method: method.toUpperCase(),
        path: template,
        isPublic: security?.length === 0,
        parameters: resolve(parameters),
        body: content?.schema,
        example: content?.example ?? {},
        isForm: type === 'multipart/form-data',
      };
    }),
  );
}

/** The cases of a test of each operation. */
export const named = (list: readonly Described[]) => list.map((one) => [`${one.method} ${one.path}`, one] as const);
