/**
 * Writes the table of settings in README.md from the configuration class, src/config/env.ts. With `--check` it writes
 * nothing and ends with 1 when the table is not the current one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from './provision/lib.mjs';

const MARK = '<!-- settings -->';

/** @returns {{name: string, initial: string, comment: string}[]} the settings in the order of the class */
export function readSettings(source) {
  const file = ts.createSourceFile('env.ts', source, ts.ScriptTarget.Latest, true);
  const env = file.statements.find((node) => ts.isClassDeclaration(node) && node.name?.text === 'Env');
  return env.members.filter(ts.isPropertyDeclaration).map((property) => ({
    name: property.name.getText(),
    initial: property.initializer ? literal(property.initializer.getText()) : '',
    comment: ts.getJSDocCommentsAndTags(property).map(commentText).join(' '),
  }));
}

/** README.md with its table replaced by the one of these settings. @throws {Error} when the marks are missing */
export function withTable(readme, settings) {
  const parts = readme.split(MARK);
  if (parts.length !== 3) throw new Error(`README.md must hold ${MARK} exactly twice, around the table.`);
  const rows = settings.map(
    ({ name, initial, comment }) => `| \`${name}\` | ${initial && `\`${initial}\``} | ${comment} |`,
  );
  const table = ['| Setting | Default | Effect |', '|---|---|---|', ...rows].join('\n');
  return [parts[0], `\n\n${table}\n\n`, parts[2]].join(MARK);
}

function literal(text) {
  if (text === "''") return '';
  return text.replace(/^'(.*)'$/, '$1').replace(/(?<=\d)_(?=\d)/g, '');
}

function commentText(doc) {
  const text = ts.getTextOfJSDocComment(doc.comment) ?? '';
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

function main() {
  const readme = path.join(ROOT, 'README.md');
  const before = readFileSync(readme, 'utf8');
  const after = withTable(before, readSettings(readFileSync(path.join(ROOT, 'src', 'config', 'env.ts'), 'utf8')));
  if (after === before) return 0;
  if (process.argv.includes('--check')) {
    process.stderr.write('The table of settings in README.md is not current: run node scripts/settings-table.mjs\n');
    return 1;
  }
  writeFileSync(readme, after);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main();
