/** Builds a program of this folder as the app is built: what is measured is what runs in a clinic, not its sources. */
import { join } from 'node:path'
import { buildForNode } from '../tools/build-for-node.ts'

/** Answers the path of the built program. Reading TypeScript costs Node about 60 MB, which no installed station pays. */
export async function buildProgram(name: string): Promise<string> {
  const folder = await buildForNode({ [name]: join('test', 'bench', `${name}.ts`) }, { folder: 'bench' })
  return join(folder, `${name}.js`)
}
