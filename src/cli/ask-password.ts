import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../boot/start-error.ts';

type Terminal = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };

/** Asks for a new password twice, without showing what is typed. Throws StartError when they differ or on Ctrl-C. */
export async function askNewPassword({ input, output }: Terminal = { input: process.stdin, output: process.stdout }) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true });
  const lines = terminal[Symbol.asyncIterator]();

  async function ask(question: string): Promise<string> {
    output.write(question);
    const { value, done } = await lines.next();
    output.write('\n');
    if (done === true) throw new StartError('Nothing was changed.');
    return value;
  }

  try {
    const password = await ask('Password: ');
    if ((await ask('Once more: ')) !== password) throw new StartError('The two passwords are not the same.');
    return password;
  } finally {
    terminal.close();
  }
}
