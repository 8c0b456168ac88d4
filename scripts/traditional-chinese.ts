// Writes the texts in traditional Chinese, from the simplified ones: npm run languages
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Converter, CustomConverter } from 'opencc-js/cn2t';
import ts from 'typescript';

const root = path.dirname(import.meta.dirname);
/** The sources with the texts, and the file with their traditional forms. */
export const languageFiles = {
  src: 'assets/languages/zh-Hant.json',
  'web/src': 'web/src/languages/zh-Hant.json',
} as const;
type Source = keyof typeof languageFiles;

const isHan = (text: string) => /\p{Script=Han}/u.test(text);
const nameOf = (node: ts.ObjectLiteralElementLike) => (node.name && ts.isIdentifier(node.name) ? node.name.text : '');

/** The texts that stand as `zh` beside one in English. */
function textsIn(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && node.properties.some((property) => nameOf(property) === 'en')) {
      const chinese = node.properties.find((property) => nameOf(property) === 'zh');
      if (chinese && ts.isPropertyAssignment(chinese) && ts.isStringLiteralLike(chinese.initializer))
        texts.push(chinese.initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return texts.filter(isHan);
}

const pairs = readFileSync(path.join(root, 'scripts/traditional-corrections.txt'), 'utf8')
  .split('\n')
  .filter((line) => line.includes('→'))
  .map((line) => line.split('→') as [string, string]);
const corrections = pairs.filter(([words]) => !words.startsWith('='));
const wholeTexts = new Map(pairs.map(([words, corrected]) => [words.replace(/^=/, ''), corrected]));

/** The traditional form of every text, by the simplified one. */
export function traditionalTexts(source: Source): Record<string, string> {
  const folder = path.join(root, source);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const [toTraditional, correct] = [Converter({ from: 'cn', to: 'twp' }), CustomConverter(corrections)];
  const convert = (text: string) => correct(toTraditional(text));
  const texts = new Set(files.flatMap((name) => textsIn(path.join(folder, name))));
  return Object.fromEntries([...texts].sort().map((text) => [text, wholeTexts.get(text) ?? convert(text)]));
}

if (process.argv[1] === import.meta.filename)
  for (const [source, file] of Object.entries(languageFiles) as [Source, string][]) {
    const text = `${JSON.stringify(traditionalTexts(source), null, 2)}\n`;
    const target = path.join(root, file);
    if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
  }
