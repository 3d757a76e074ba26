/** Where the app's own files lie: beside package.json, packed or not. The build puts them there (electron.vite.config.ts). */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

export function appFile(...path: readonly string[]): string {
  return join(app.getAppPath(), ...path)
}

export function workerUrl(name: string): URL {
  return pathToFileURL(appFile('out', 'main', name))
}
