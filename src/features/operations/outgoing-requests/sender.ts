import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hostOf, isPublicAddress } from '../../../lib/network/address.ts';
import { type Address, createResolver } from '../../../lib/network/resolver.ts';

/** Why an attempt failed, with the response of the receiver, if any. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: string;
  readonly status: number | undefined;
  readonly text: string | undefined;

  constructor(code: string, status?: number, text?: string) {
    super(code);
    this.code = code;
    this.status = status;
    this.text = text;
  }
}

const maxBytes = 4096;
const maxCharacters = 300;
const resolveTimeout = 3000; // ms, when a webhook is saved; attempts have their own timeout

export type SenderOptions = {
  /** Also allows http and addresses outside the public internet. */
  anyTarget: boolean;
  timeout?: number;
  resolve?: (hostname: string) => Promise<Address[]>;
};
export type Received = { status: number; text: string };
export type Sender = ReturnType<typeof createSender>;

/**
 * Posts to addresses chosen by administrators. Connects to the address that was checked, so that a name cannot
 * resolve to another one afterwards. No redirects; only the beginning of the response is read.
 */
export function createSender({ anyTarget, timeout = 10_000, resolve }: SenderOptions) {
  const resolveName = resolve ?? createResolver({ withHostsFile: anyTarget });

  async function resolveAllowed(hostname: string): Promise<Address[]> {
    const addresses = await resolveName(hostname);
    // Every address must be public: the name server must not choose which one is used.
    if (!anyTarget && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new DeliveryError('ADDRESS_NOT_ALLOWED');
    return addresses;
  }

  const lookup: LookupFunction = (hostname, { all = false }, callback) => {
    resolveAllowed(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new DeliveryError('ENOTFOUND'), '');
        else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };

  /** Whether the URL is allowed, without resolving its name. */
  function isAllowed(url: URL): boolean {
    const host = hostOf(url);
    const isPublic = isIP(host) === 0 ? host.includes('.') : isPublicAddress(host); // `localhost` has no dot
    return anyTarget || (url.protocol === 'https:' && isPublic);
  }

  return {
    isAllowed,

    /** Whether the name currently resolves to public addresses only; true if it cannot be resolved now. */
    resolvesToPublic: async (url: URL): Promise<boolean> =>
      isIP(hostOf(url)) !== 0 ||
      Promise.race([
        resolveAllowed(url.hostname).then(
          () => true,
          (error: unknown) => !(error instanceof DeliveryError),
        ),
        delay(resolveTimeout, true, { ref: false }),
      ]),

    /** Throws DeliveryError, or the error of the connection, unless the response is a 2xx. */
    async post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<Received> {
      if (!isAllowed(url)) throw new DeliveryError('ADDRESS_NOT_ALLOWED');
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: false,
        lookup,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      });
      const timer = setTimeout(() => request.destroy(new DeliveryError('TIMEOUT')), timeout);
      try {
        const received = await respond(request, body);
        const { status, text } = received;
        if (status >= 300 && status < 400) throw new DeliveryError('REDIRECT', status, text);
        if (status < 200 || status >= 300) throw new DeliveryError(`HTTP_${status}`, status, text);
        return received;
      } finally {
        clearTimeout(timer);
        request.destroy();
      }
    },
  };
}

function respond(request: http.ClientRequest, body: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      const end = () => resolve({ status: response.statusCode ?? 0, text: excerpt(Buffer.concat(parts)) });
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size >= maxBytes) end();
      });
      response.on('end', end).on('error', reject);
    });
    request.end(body);
  });
}

function excerpt(bytes: Buffer): string {
  const printable = bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return [...printable].slice(0, maxCharacters).join('');
}
