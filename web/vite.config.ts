import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run dev:web` shows the console with hot reload against the API that runs here. */
const API = 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/data', '/watch', '/browser', '/replay'].map((path) => [path, { target: API, ws: true }]),
    ),
  },
});
