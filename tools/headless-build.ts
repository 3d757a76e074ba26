/** The headless host in a few files: reading its hundreds of sources takes a start longer than all else. */
import { globSync } from 'node:fs'
import { join, sep } from 'node:path'
import { build } from 'vite'
import { projectFolder } from './step.ts'

/** What starts the host, below the folder of the build. */
export const HEADLESS_MAIN = join('headless', 'main.js')

/**
 * Builds the host into the folder and answers with the path of its program. The folder lies right below the project: from
 * there the host finds its version, its packages and the screens. What lies in it already stays; two must not build into
 * one at once.
 */
export async function buildHeadless(folder: string): Promise<string> {
  const workers = globSync('src-main/{station,reader}/**/*-worker.ts', { cwd: projectFolder })
  const entries = ['src-main/headless/main.ts', ...workers.map((path) => path.split(sep).join('/'))]
  await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    // Packages with files of their own stay outside; all others are read faster in one file.
    ssr: {
      noExternal: true,
      external: ['better-sqlite3', 'sharp', '@cornerstonejs/codec-charls', '@cornerstonejs/codec-openjpeg'],
    },
    plugins: [
      {
        name: 'workers-are-built-too',
        transform: (code, id) =>
          id.endsWith('/headless/host.ts') ? code.replaceAll(/-worker\.ts\b/g, '-worker.js') : null,
      },
    ],
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(
          entries.map((path) => [path.slice('src-main/'.length, -'.ts'.length), join(projectFolder, path)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: 'station/chunks/[name]-[hash].js' },
      },
    },
  })
  return join(folder, HEADLESS_MAIN)
}
