import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { Request, Response } from 'express';
import multer from 'multer';
import { makeFolder } from '../lib/folders.ts';
import { storageFault } from '../lib/storage/storage.ts';
import { type FieldError, ValidationError } from '../texts/errors.ts';

export type UploadedFile = { path: string; size: number; originalName: string };

export type UploadRule = { field: string; maxBytes: number };

export type Received = { file: UploadedFile; fields: Readonly<Record<string, string>> };

export type ReceiveFile = (request: Request, response: Response, rule: UploadRule) => Promise<Received>;

/** The fields besides the file are options. Sizes in bytes. */
const fieldLimits = { fields: 20, fieldSize: 24_000, fieldNameSize: 100 } as const;
/** Parts without a name count neither as a field nor as a file. */
const maxParts = fieldLimits.fields + 1;
const formBytes = 100_000;
/** A boundary has at most 70 characters (RFC 2046). */
const maxTypeLength = 200;

/** Receives a form with one file into `folder`. Throws ValidationError, or UnavailableError if it cannot be stored, and then leaves no file. */
export function createFileReceiver({ folder }: { folder: string }): ReceiveFile {
  return async (request, response, rule) => {
    if ((request.headers['content-type'] ?? '').length > maxTypeLength)
      throw ValidationError.of(rule.field, 'form_broken');
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw ValidationError.of(rule.field, 'file_compressed');
    if (!request.is('multipart/form-data')) throw ValidationError.of(rule.field, 'form_must_be_multipart');
    if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + formBytes) throw tooLarge(rule);

    const path = join(folder, `${randomUUID()}.part`);
    try {
      await makeFolder(folder, 0o700);
      const handle = await open(path, 'wx', 0o600);
      try {
        await readForm(request, response, rule, handle);
      } finally {
        await handle.close();
      }
      const { file } = request;
      if (file === undefined) throw ValidationError.of(rule.field, 'file_required');
      return { file: { path, size: file.size, originalName: file.originalname }, fields: textFields(request.body) };
    } catch (error) {
      await removeFile(path).catch(() => undefined);
      throw storageFault(error);
    }
  };
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Reads the form to its end even when it is rejected, so that the client receives the response. */
async function readForm(request: Request, response: Response, rule: UploadRule, handle: FileHandle): Promise<void> {
  // The parser would wait forever for a request that was aborted before.
  if (request.destroyed) throw ValidationError.of(rule.field, 'form_broken');
  const read = multer({
    storage: writeTo(handle),
    limits: { files: 1, parts: maxParts, fileSize: rule.maxBytes, ...fieldLimits },
    defParamCharset: 'utf8',
  }).single(rule.field);
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(uploadError(error, rule))));
  });
}

/** Multer's own engine leaks its file handle when the disk is full. */
function writeTo(handle: FileHandle): multer.StorageEngine {
  return {
    _handleFile: (_request, file, done) => {
      const target = handle.createWriteStream();
      pipeline(file.stream, target, (error) => done(error, { size: target.bytesWritten }));
    },
    _removeFile: (_request, _file, done) => done(null), // the receiver removes it after the last write
  };
}

function uploadError(error: unknown, rule: UploadRule): unknown {
  if (!(error instanceof multer.MulterError)) {
    // Errors of malformed or aborted forms have no code.
    const isSystemError = error instanceof Error && 'syscall' in error;
    return isSystemError ? error : ValidationError.of(rule.field, 'form_broken');
  }
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return tooLarge(rule);
    case 'LIMIT_UNEXPECTED_FILE':
      return ValidationError.of(rule.field, error.field === rule.field ? 'file_one_only' : 'file_wrong_field');
    case 'LIMIT_FILE_COUNT':
      return ValidationError.of(rule.field, 'file_one_only');
    default:
      return ValidationError.of(error.field ?? rule.field, 'form_fields_limited', {
        fields: fieldLimits.fields,
        bytes: fieldLimits.fieldSize,
      });
  }
}

function tooLarge({ field, maxBytes }: UploadRule): ValidationError {
  return ValidationError.of(field, 'file_too_large', { megabytes: maxBytes / 1024 / 1024 });
}

/** Rejects the lists and objects that the parser creates from repeated and bracketed names. */
function textFields(body: object): Record<string, string> {
  const errors: FieldError[] = [];
  const fields: [string, string][] = [];
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string') fields.push([name, value]);
    else errors.push({ field: name, message: { key: 'given_once' } });
  }
  if (errors.length > 0) throw new ValidationError(errors);
  return Object.fromEntries(fields);
}
