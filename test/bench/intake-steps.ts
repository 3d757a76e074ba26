/** What each step of taking one image in costs by itself, one image after the other. */
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readPhoto } from '../../src-main/station/intake/images/photo.ts'
import { assignImage, type IngestContext, storeImage } from '../../src-main/station/intake/ingest-image.ts'
import { inspectFile } from '../../src-main/station/intake/inspect-file.ts'
import { hashFile, spoolFile } from '../../src-main/station/intake/spool.ts'
import { openOutbox } from '../../src-main/station/outbox/thread.ts'
import { systemClock } from '../../src-main/station/ports.ts'
import type { FileMark } from '../../src-main/station/watch/watch.ts'
import { settingsSchema } from '../../src-shared/settings.ts'
import { nameOf } from './camera-files.ts'
import { medianOf } from './figure.ts'

export type Step = { readonly what: string; readonly milliseconds: number | null }

const NOTHING_ODD = { kind: 'whole', facts: null, picture: null, oddities: [] } as const

class Stopwatch {
  readonly #taken = new Map<string, number[]>()

  async time<Value>(what: string, work: () => Value | Promise<Value>): Promise<Value> {
    const before = performance.now()
    const value = await work()
    const taken = this.#taken.get(what) ?? []
    taken.push(performance.now() - before)
    this.#taken.set(what, taken)
    return value
  }

  steps(): readonly Step[] {
    return [...this.#taken].map(([what, taken]) => ({ what, milliseconds: medianOf(taken) }))
  }
}

/** Takes the first so many cases of the camera in, step by step, into an outbox and a spool of its own. */
export async function measureSteps(folder: string, camera: string, cases: number): Promise<readonly Step[]> {
  const watch = new Stopwatch()
  const [spoolFolder, secondSpool, pictureFolder] = ['spool', 'second-spool', 'pictures'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  for (const one of [spoolFolder, secondSpool, pictureFolder]) await mkdir(one, { recursive: true })
  const opened = openOutbox(join(folder, 'data'))
  const settings = settingsSchema.parse({ folders: [{ path: camera }] })
  const context: IngestContext = {
    outbox: opened.outbox,
    clock: systemClock,
    settings: () => settings,
    spoolFolder,
    pictureFolder,
    readPhoto: () => Promise.resolve(NOTHING_ODD),
    note: () => undefined,
    storageIs: () => undefined,
  }
  try {
    for (const relativePath of names(cases)) {
      const path = join(camera, relativePath)
      const found = await stat(path).catch(() => null)
      if (found === null) break
      const look = { sizeBytes: found.size, mtimeMs: Math.floor(found.mtimeMs) }
      const mark: FileMark = { folderPath: camera, relativePath, ...look }
      await watch.time('is it whole (structure)', () => inspectFile(path, look))
      await watch.time('read and hash only', () => hashFile(path))
      await watch.time('copy, hash, flush', () =>
        spoolFile({ sourcePath: path, spoolFolder: secondSpool, expected: look }),
      )
      await watch.time('decode to its last line', () =>
        readPhoto({ path, contentType: 'image/jpeg', nameOrder: 'lastFirst', pictureFolder }),
      )
      const keeping = await storeImage(
        context,
        { contentType: 'image/jpeg', at: { path, ...look } },
        'lastFirst',
      )
      if (keeping.kind !== 'kept') throw new Error('An image of the bench was not kept.')
      await watch.time('write down (SQLite, flushed)', () =>
        opened.outbox.write(() => assignImage(context, mark, keeping.image)),
      )
    }
  } finally {
    opened.close()
  }
  return watch.steps()
}

function names(cases: number): readonly string[] {
  return Array.from({ length: cases }, (_, index) =>
    [0, 1, 2, 3].map((image) => nameOf(index + 1, image)),
  ).flat()
}
