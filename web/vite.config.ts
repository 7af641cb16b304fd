import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { withoutUnusedStyles } from './unused-styles.ts';

/** `npm run dev:web` shows the console with hot reload against the API that runs here. */
const API = process.env['MUNIMENT_API'] ?? 'http://127.0.0.1:8000';

/**
 * What the service writes into the document that it sends (`src/console/serve-web.ts`): a nonce, which means nothing
 * without a policy, and the replay origin, which is the one that the running service names.
 */
function asTheServiceSends(): Plugin {
  return {
    name: 'muniment-document',
    apply: 'serve',
    async transformIndexHtml(html) {
      const sent = await fetch(API).then(
        (response) => response.text(),
        () => '',
      );
      const [, replayOrigin = ''] = /name="replay-origin" content="([^"]*)"/.exec(sent) ?? [];
      return html.replace('__CSP_NONCE__', '').replace('__REPLAY_ORIGIN__', replayOrigin);
    },
  };
}

/** `src/early.ts` alone, in a file of its own. */
async function earlyScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: import.meta.dirname,
    build: { write: false, target: 'es2022', rolldownOptions: { input: 'src/early.ts', output: { format: 'iife' } } },
  });
  const [script] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (script?.type !== 'chunk') throw new Error('The early script is not built.');
  return script.code;
}

/**
 * Puts the early script before the console's own, with the code that it may fetch: the frame of an org's pages and its
 * dashboard, where people arrive.
 */
function early(): Plugin {
  return {
    name: 'muniment-early',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const html = bundle['index.html'];
      const code = Object.values(bundle).filter((file) => file.type === 'chunk' && file.name === FRAME);
      if (html?.type !== 'asset' || code.length === 0) throw new Error('The console has no document, or no frame.');
      const source = await earlyScript();
      const fileName = `assets/early-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName, source });
      const names = code.map((file) => `/${file.fileName}`).join(' ');
      const tag = `<script async id="early" src="/${fileName}" data-code="${names}"></script>\n    `;
      html.source = String(html.source).replace('<script type="module"', (next) => tag + next);
    },
  };
}

/** The chunk of what an org's dashboard needs beyond what every page does. */
const FRAME = 'frame';
/** Of these, the first page calls more than half. */
const NEEDED = new Set(['packages', 'shared', 'index', FRAME]);

/**
 * Lets the browser compile code that is needed at once beside the page, while it comes, and not function by function as
 * each is called, which holds the page up (https://v8.dev/blog/explicit-compile-hints).
 */
function compiledAhead(): Plugin {
  return {
    name: 'muniment-compiled-ahead',
    apply: 'build',
    generateBundle: {
      // The comment has to be what the file begins with.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && NEEDED.has(file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), asTheServiceSends(), early(), compiledAhead(), withoutUnusedStyles()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // Pages have few rules of their own; a file for each would be one more to wait for.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What several pages share comes in a few files: each of them costs a slow machine more than its bytes.
          groups: [
            { name: 'packages', test: /node_modules/, minShareCount: 6 },
            { name: 'shared', minShareCount: 6 },
            { name: 'index', test: /src\/(main|shell\/(root|member-shell)|session\/log-in-page)\.tsx$/ },
            { name: FRAME, test: /src\/(shell\/org-shell|rooms\/home\/dashboard-page)\.tsx$/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/data', '/watch', '/browser/', '/replay', '/favicon.ico', '/docs-logo.svg'].map((path) => [
        path,
        { target: API, ws: true },
      ]),
    ),
  },
});
