/** Builds sources of this project for Node, so that a measurement need not read them at each start. */
import { join } from 'node:path'
import { build } from 'vite'
import { projectFolder } from '../../tools/step.ts'

/**
 * Builds each source, a path in the project, to the file of its name without `.js` in a folder of the results, which is
 * inside the project so that packages outside of the bundle are found; answers with that folder. What lies there already stays. Two must
 * not build into one folder at once.
 */
export async function buildForNode(
  sources: Readonly<Record<string, string>>,
  folder: string,
): Promise<string> {
  const outDir = join(projectFolder, 'test-results', folder)
  const input = Object.fromEntries(
    Object.entries(sources).map(([name, path]) => [name, join(projectFolder, path)]),
  )
  await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: {
        input,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  return outDir
}
