/**
 * Builds the headless host into a few files. A table starts stations by the thousand, and reading hundreds of sources and
 * packages takes each of them longer than all else of its start.
 */
import { join } from 'node:path'
import { buildForNode } from '../tools/build-for-node.ts'

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
  // Two folders below the project, as its sources are: from there it finds the version and the screens.
  const folder = await buildForNode(
    Object.fromEntries(ENTRIES.map((name) => [name, join('src-main', `${name}.ts`)])),
    {
      // What has native files stays outside; all else is read faster in one file.
      ssr: { noExternal: true, external: ['better-sqlite3', 'sharp'] },
      plugins: [
        {
          name: 'workers-are-built-too',
          transform: (code, id) =>
            id.endsWith('/headless/main.ts') ? code.replaceAll(/-worker\.ts\b/g, '-worker.js') : null,
        },
      ],
      chunks: 'station/chunks/[name]-[hash].js',
    },
  )
  return join(folder, 'headless', 'main.js')
}
