import { defineConfig } from 'vitest/config';

// The server serves target/classes/static and reads the hashed file names from the manifest.
export default defineConfig({
  base: '/app/',
  build: {
    outDir: '../target/classes/static/app',
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content security policy does not allow data: URLs
    assetsDir: '.',
    rolldownOptions: { input: 'src/pages/app.ts' },
  },
  test: { include: ['test/**/*.test.ts'] },
});
