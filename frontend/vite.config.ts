import { defineConfig } from 'vitest/config';

// The server serves target/classes/static, and looks the hashed names up in the manifest.
export default defineConfig({
  base: '/app/',
  build: {
    outDir: '../target/classes/static/app',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // a strict CSP allows no data: URLs
    assetsDir: '.',
    rolldownOptions: { input: 'src/pages/app.ts' },
  },
  test: { include: ['test/**/*.test.ts'] },
});
