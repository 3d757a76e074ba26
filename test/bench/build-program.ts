/** Builds a program of this folder as the app is built: what is measured is what runs in a clinic, not its sources. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Inside the project, so that the packages are found that stay outside of the bundle. */
const BUILT = join(ROOT, 'test-results', 'bench')

/** Answers the path of the built program. Reading TypeScript costs Node about 60 MB, which no installed station pays. */
export async function buildProgram(name: string): Promise<string> {
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: join('test', 'bench', `${name}.ts`),
      outDir: BUILT,
      emptyOutDir: false,
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: '[name].js' } },
    },
  })
  return join(BUILT, `${name}.js`)
}
