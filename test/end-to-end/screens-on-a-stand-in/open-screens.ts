/** The built screens on a stand-in station, served by the real HTTP host. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { type HttpHost, openHttpHost } from '../../../src-main/headless/http-server.ts'
import type { Logger } from '../../../src-main/station/ports.ts'
import { isBuildCurrent } from '../../../tools/build-age.ts'
import { openStandIn, type StandIn, type StandInOptions } from './stand-in-station.ts'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Builds the screens as they are now into a folder of their own: what lies in `out/` may be older. */
export async function buildScreens(folder: string): Promise<void> {
  // A test runner's own environment would put the slow half of React into the pages.
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    await build({
      configFile: join(PROJECT, 'vite.renderer.config.ts'),
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    })
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

/** The folder of the screens as they are now: what was built, if it is young enough, or else built into `folder`. */
export async function screensAsTheyAre(folder: string): Promise<string> {
  if (isBuildCurrent(PROJECT)) return join(PROJECT, 'out', 'renderer')
  await buildScreens(folder)
  return folder
}

export type Screens = {
  readonly standIn: StandIn
  readonly host: HttpHost
  /** The address that a person would open. */
  readonly address: string
  readonly close: () => Promise<void>
}

export async function openScreens(
  screensFolder: string,
  options: Omit<StandInOptions, 'folder'> = {},
): Promise<Screens> {
  const folder = await mkdtemp(join(tmpdir(), 'fundus-courier-stand-in-'))
  const standIn = await openStandIn({ ...options, folder })
  const host = await openHttpHost({
    station: standIn.station,
    logger: silent,
    address: '127.0.0.1',
    port: 0,
    screensFolder,
  })
  return {
    standIn,
    host,
    address: `${host.url}/#token=${host.token}`,
    async close() {
      await host.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
