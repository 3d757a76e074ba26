/** Five of seven folders lie on shares that hang, each in its own way: the others go on as if nothing were. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import type { StationStatus } from '../../../../src-shared/station-status.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { drawing } from '../reader/draw-images.ts'
import { started } from '../started.ts'

/** Of a call that hangs the name and, by the path, when. It hangs in the process of the folder, as a dead server makes it. */
const HANGS: Readonly<Record<string, string>> = {
  'the opening of images': `
    const { open } = promises
    promises.open = (path, ...rest) => (isHanging(path, /\\.jpg$/) ? new Promise(() => {}) : open(path, ...rest))`,
  'every opening': `
    const { open } = promises
    promises.open = (path, ...rest) => (isHanging(path, /./) ? new Promise(() => {}) : open(path, ...rest))`,
  'every call': `
    for (const name of ['lstatSync', 'statSync', 'readdirSync', 'opendirSync', 'openSync']) {
      const call = fs[name]
      fs[name] = (path, ...rest) => {
        if (isHanging(path, /./)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
        return call(path, ...rest)
      }
    }`,
  'reading amid a file': `
    const { open } = promises
    promises.open = async (path, ...rest) => {
      const handle = await open(path, ...rest)
      if (isHanging(path, /\\.jpg$/)) handle.read = () => new Promise(() => {})
      return handle
    }`,
}

const valueOf = (result: unknown): unknown => (result as { readonly value: unknown }).value

const FOLDERS = ['hangs-1', 'hangs-2', 'hangs-3', 'hangs-4', 'hangs-5', 'well-1', 'well-2']

describe.each(Object.entries(HANGS))('%s hangs', (what, hang) => {
  it('and only those folders are out of reach; the station ends at once, and takes all in when the share is back', async () => {
    const root = temporaryFolder()
    const mark = join(root, 'back')
    const program = join(root, 'folder.mjs')
    await writeFile(
      program,
      `import fs, { existsSync } from 'node:fs'
       import { syncBuiltinESMExports } from 'node:module'
       const { promises } = fs
       const isBack = existsSync(${JSON.stringify(mark)})
       const isHanging = (path, pattern) => !isBack && /hangs-/.test(String(path)) && pattern.test(String(path))
       ${hang}
       syncBuiltinESMExports()
       await import(${JSON.stringify(stationPorts().workers.watch.href)})`,
    )
    const { workers } = stationPorts()
    const ports = () => stationPorts({ workers: { ...workers, watch: pathToFileURL(program) } })
    const image = async (): Promise<Buffer> => drawing().jpeg().toBuffer()
    for (const folder of FOLDERS) {
      mkdirSync(join(root, folder))
      const visit = join(root, folder, `20260417_H-${folder.length}${folder.at(-1)}001`)
      mkdirSync(visit)
      for (const eye of ['OD', 'OS']) writeFileSync(join(visit, `${eye}.jpg`), await image())
    }
    mkdirSync(join(root, 'hangs-list'))
    const list = join(root, 'hangs-list', 'patients.csv')
    writeFileSync(list, 'history_number;last_name\nH-1;Testwood\n')
    const settings = {
      patientList: { path: list },
      folders: FOLDERS.map((name) => ({
        path: join(root, name),
        settleSeconds: 1,
        existing: 'include' as const,
      })),
    }
    const dataFolder = join(root, 'data')
    mkdirSync(dataFolder)
    const { station, answer } = await started(settings, {
      dataFolder,
      ports: ports(),
    })
    const shown = async (from = answer): Promise<number> =>
      (valueOf(await from('submissions.list', {})) as { readonly items: readonly unknown[] }).items.length
    const healthOf = (status: StationStatus, prefix: string): readonly string[] =>
      status.folders.filter(({ path }) => path.includes(prefix)).map(({ health }) => health)
    await vi.waitFor(async () => expect(await shown()).toBe(2), { timeout: 20_000, interval: 200 })
    await vi.waitFor(
      async () => {
        const status = valueOf(await answer('station.status')) as StationStatus
        expect(healthOf(status, 'hangs-')).toEqual(Array.from({ length: 5 }, () => 'unreachable'))
        expect(healthOf(status, 'well-')).toEqual(['watching', 'watching'])
        if (what === 'every opening') expect(status.patientList.kind).toBe('unreachable')
      },
      { timeout: 70_000, interval: 500 },
    )
    const before = performance.now()
    await station.stop()
    expect(performance.now() - before).toBeLessThan(5_000)
    writeFileSync(mark, '')
    const again = await started(settings, {
      dataFolder,
      ports: ports(),
    })
    await vi.waitFor(async () => expect(await shown(again.answer)).toBe(7), {
      timeout: 30_000,
      interval: 200,
    })
  }, 180_000)
})
