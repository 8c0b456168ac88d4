import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { json } from 'node:stream/consumers';

type Part = { name: string; filename?: string; data: string | Buffer };
export type Form = { type: string; body: Buffer };
export type Received = { status: number; headers: IncomingHttpHeaders; body: Body };
type Body = { success: boolean; message: string; error?: { code: string; details?: { field: string }[] } };

const boundary = 'the-boundary-of-the-tests';

/** A form as a browser sends it. */
export function multipart(...parts: Part[]): Form {
  const chunks = parts.flatMap(({ name, filename, data }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`),
    Buffer.from('\r\n\r\n'),
    Buffer.from(data),
    Buffer.from('\r\n'),
  ]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

export type OpenUpload = {
  /** Resolves before the rest is sent if the service responds early; rejects if the connection closes. */
  response: Promise<Received>;
  /** Sends the rest and returns the response. */
  finish(): Promise<Received>;
  /** Closes the connection. */
  cut(): Promise<void>;
};

/** A request of whose body only `length` bytes are sent until `finish` is called. */
export async function openUpload(
  url: string,
  token: string | undefined,
  { type, body }: Form,
  length: number,
): Promise<OpenUpload> {
  const upload = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      'Content-Type': type,
      'Content-Length': body.length,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
  });
  const response = responseTo(upload);
  response.catch(() => undefined); // a closed connection has none
  const closed = new Promise<void>((resolve) => upload.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    upload.once('error', reject);
    upload.write(body.subarray(0, length), () => resolve());
  });
  return {
    response,
    finish: () => {
      upload.end(body.subarray(length));
      return response;
    },
    cut: () => {
      upload.destroy();
      return closed;
    },
  };
}

/** Sends exactly these bytes with this content type. */
export async function postForm(url: string, token: string | undefined, form: Form): Promise<Received> {
  return (await openUpload(url, token, form, 0)).finish();
}

function responseTo(upload: ClientRequest): Promise<Received> {
  return new Promise((resolve, reject) => {
    upload.on('error', reject);
    upload.once('response', (response) => {
      json(response).then(
        (body) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: body as Body /* JSON */ }),
        reject,
      );
    });
  });
}
