import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  plugins: [react(), asTheServiceSends()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What several pages share comes in a few files: each of them costs a slow machine more than its bytes.
          groups: [
            { name: 'packages', test: /node_modules/, minShareCount: 6 },
            { name: 'shared', minShareCount: 6 },
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
