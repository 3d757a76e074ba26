import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** All that the desktop app has written into its log: no window shows it, and its stderr is not it. */
export function logOf({ dataFolder }: { readonly dataFolder: string }): string {
  const logs = join(dataFolder, 'logs')
  if (!existsSync(logs)) return ''
  return readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('')
}
