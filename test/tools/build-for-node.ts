/** Builds sources of this project for Node, so that a test or a measurement need not read them at each start. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Inside the project, so that the packages are found that stay outside of the bundle. */
const RESULTS = join(ROOT, 'test-results')

/**
 * Builds each source, a path in the project, to the file of its name without `.js`; answers with the folder that
 * holds them. What lies there already stays. Two must not build into one folder at once.
 */
export async function buildForNode(
  sources: Readonly<Record<string, string>>,
  rest: Pick<InlineConfig, 'plugins' | 'ssr'> & { readonly folder?: string; readonly chunks?: string } = {},
): Promise<string> {
  const { folder = '', chunks = '[name]-[hash].js', ...config } = rest
  const outDir = join(RESULTS, folder)
  const input = Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, join(ROOT, path)]))
  await build({
    ...config,
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: chunks } },
    },
  })
  return outDir
}
