import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../boot/start-error.ts';

type Terminal = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };

export async function askNewPassword({ input, output }: Terminal = { input: process.stdin, output: process.stdout }) {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: discard, terminal: true });
  const lines = terminal[Symbol.asyncIterator]();

  async function ask(question: string): Promise<string> {
    output.write(question);
    const { value, done } = await lines.next();
    output.write('\n');
    if (done === true) throw new StartError('Cancelled; nothing was changed.');
    return value;
  }

  try {
    const password = await ask('Password: ');
    if ((await ask('Repeat the password: ')) !== password) throw new StartError('The passwords do not match.');
    return password;
  } finally {
    terminal.close();
  }
}
