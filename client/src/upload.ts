/** The part of XMLHttpRequest used here. Only XMLHttpRequest reports the progress of uploads, and only browsers have it. */
type Upload = {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: FormData): void;
  abort(): void;
  getAllResponseHeaders(): string;
  responseType: string;
  readonly status: number;
  readonly response: Blob | null;
  readonly upload: {
    onprogress: ((event: { lengthComputable: boolean; loaded: number; total: number }) => void) | null;
  };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
};

type Init = { method: string; headers: Headers; body: FormData; signal?: AbortSignal };
type OnProgress = (fraction: number) => void;

export const supportsProgress = 'XMLHttpRequest' in globalThis;

/** Like fetch, but reports progress. */
export function uploadWithProgress(url: string, init: Init, onProgress: OnProgress): Promise<Response> {
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest: new () => Upload }; // missing in Node's types
  const { method, headers, body, signal } = init;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'blob';
    headers.forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => {
      const responseHeaders = new Headers();
      for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
        const colon = line.indexOf(':');
        if (colon > 0) responseHeaders.append(line.slice(0, colon), line.slice(colon + 1).trim());
      }
      resolve(new Response(request.response, { status: request.status, headers: responseHeaders }));
    };
    request.onerror = () => reject(new TypeError('the upload failed'));
    request.onabort = () => reject(signal?.reason);
    if (signal?.aborted === true) return reject(signal.reason);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
