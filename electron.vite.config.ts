import { defineConfig, mergeConfig } from 'electron-vite'
import screens from './vite.renderer.config.ts'

/**
 * Builds the desktop app into `out/`.
 *
 * Packages in `dependencies` stay outside of the bundles: better-sqlite3 and sharp have native files, the codecs read their
 * WebAssembly beside them, a second copy of undici would not know the first one's objects, chokidar runs in a worker.
 */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: {
          main: 'src-main/electron/main.ts',
          // Beside main.js under names of their own: a worker is started by its address.
          'watch-worker': 'src-main/reader/watch-worker.ts',
          'pictures-worker': 'src-main/reader/pictures-worker.ts',
          'data-worker': 'src-main/station/readers/data-worker.ts',
          'outbox-worker': 'src-main/station/outbox/outbox-worker.ts',
        },
        // What main.js shares with the rest goes into a chunk: an entry that others import could be run twice.
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        input: { preload: 'src-main/electron/preload/preload.ts' },
        // The sandbox loads one CommonJS file, and `.cjs` says so in a package of modules.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: mergeConfig(screens, { build: { rolldownOptions: { input: 'src-renderer/index.html' } } }),
})
