/** Builds the console into `dist/web/`, with each file compressed beside it as the service sends it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { ROOT } from './provision/lib.mjs';

const { build } = await import(new URL('../web/node_modules/vite/dist/node/index.js', import.meta.url)).catch(
  () => import('vite'),
);
// Vite takes what a test run has set, and React would then be the one for development.
process.env.NODE_ENV = 'production';
await build({ root: path.join(ROOT, 'web'), logLevel: 'warn' });

const assets = path.join(ROOT, 'dist', 'web', 'assets');
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const files = readdirSync(assets).filter((name) => /\.(js|css|svg|json)$/.test(name));
let bytes = 0;
await Promise.all(
  files.map(async (name) => {
    const file = path.join(assets, name);
    const plain = readFileSync(file);
    const small = await brotli(plain, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 10 } });
    writeFileSync(`${file}.br`, small);
    writeFileSync(`${file}.gz`, await gzip(plain));
    bytes += small.length;
  }),
);
process.stdout.write(`Console built: ${files.length} files, ${Math.round(bytes / 1000)} kB as sent\n`);
