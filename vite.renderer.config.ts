import { createRequire } from 'node:module'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { licensesBesideScreens } from './tools/licenses.ts'

const here = dirname(fileURLToPath(import.meta.url))

/**
 * What the pages may do. Hosts send the same as a header; this copy holds where a file is opened without one.
 * Styles need `unsafe-inline` because Mantine writes the theme's variables into a style element.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The policy only stands in what is built: the development server needs scripts of its own. */
function policyInPage(): Plugin {
  return {
    name: 'policy-in-page',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
        injectTo: 'head-prepend',
      },
    ],
  }
}

/** Fonts and decoders that pdf.js fetches by name when a report needs them; without them some PDF show gaps. */
function pdfFiles(): Plugin {
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const wanted = [
    { folder: 'cmaps', isWanted: () => true },
    { folder: 'standard_fonts', isWanted: () => true },
    // The WebAssembly decoders would need a wider policy; their plain twins do the same.
    { folder: 'wasm', isWanted: (name: string) => name.endsWith('_nowasm_fallback.js') },
  ]
  return {
    name: 'pdf-files',
    apply: 'build',
    generateBundle() {
      for (const { folder, isWanted } of wanted)
        for (const name of readdirSync(join(home, folder)).filter(isWanted))
          this.emitFile({
            type: 'asset',
            fileName: `pdf/${folder}/${name}`,
            source: readFileSync(join(home, folder, name)),
          })
    },
  }
}

/** The screens, built once for both hosts: relative addresses work at `/` and under `app://station/`. */
export default defineConfig({
  root: join(here, 'src-renderer'),
  base: './',
  plugins: [react(), policyInPage(), pdfFiles(), licensesBesideScreens(here)],
  // Settings of the developer's shell have no business in the pages.
  envPrefix: 'FUNDUS_COURIER_SCREENS_',
  worker: { format: 'es' },
  build: {
    outDir: join(here, 'out', 'renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    // A file inlined as data: would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // electron-vite would leave it out, and the first page would be half as large again.
    minify: true,
    // All that the first page needs in one file: eighty small ones would each cost a way to the host and back.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    chunkSizeWarningLimit: 900,
  },
})
