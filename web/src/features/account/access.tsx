import { Tokens } from './tokens.tsx';

/** What few people look for on their page, loaded on its own. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function Access() {
  return <Tokens />;
}
