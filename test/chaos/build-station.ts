/**
 * Builds the headless host as the desktop app is built. A table starts stations by the thousand, and reading TypeScript
 * takes each of them longer than all else of its start.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Two folders below the project, as its sources are: from there it finds the version and the screens. */
const BUILT = join(ROOT, 'test-results')
const ENTRIES = [
  'headless/main',
  'station/watch/watch-worker',
  'station/intake/photo-worker',
  'station/outbox/outbox-worker',
]

let built: Promise<string> | null = null

/** The path of the program, built once. Two tables must not build it at once in one copy of the project. */
export function builtStation(): Promise<string> {
  built ??= buildStation()
  return built
}

async function buildStation(): Promise<string> {
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    // What has native files stays outside; all else is read faster in one file.
    ssr: { noExternal: true, external: ['better-sqlite3', 'sharp'] },
    plugins: [
      {
        name: 'workers-are-built-too',
        transform: (code, id) =>
          id.endsWith('/headless/main.ts') ? code.replaceAll(/-worker\.ts\b/g, '-worker.js') : null,
      },
    ],
    build: {
      ssr: true,
      outDir: BUILT,
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((name) => [name, join(ROOT, 'src-main', `${name}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'station/chunks/[name]-[hash].js' },
      },
    },
  })
  return join(BUILT, 'headless', 'main.js')
}
