/**
 * Hostile inputs, thrown at a running intake. More than 10,000 of them by
 * `PROPERTY_SHARE=10 npx vitest run test/src-main/station/intake/hostile`
 * (quicker with `TMPDIR=/dev/shm`, if it exists: most of the time goes into flushing to the disk).
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPhotoThreads } from '../../../../../src-main/station/intake/images/photo-thread.ts'
import { settingsSchema } from '../../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../../tools/recording-logger.ts'
import { ManualClock } from '../../../../tools/manual-clock.ts'
import { openTestOutbox } from '../../../../tools/outbox-with.ts'
import { propertySeed, runs } from '../../../../tools/property.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'
import { drawing } from '../draw-images.ts'
import { zipOf } from '../draw-zips.ts'
import { CameraStation } from '../intake-with.ts'
import { hostileInputs } from './hostile-inputs.ts'
import { type Ending, throwAt } from './throw-at-intake.ts'

const COUNT = runs(1_200)
const MEGABYTE = 1_048_576
const MOST_GROWTH_MB = 400

const workerUrl = new URL('../../../../../src-main/station/intake/images/photo-worker.ts', import.meta.url)

describe('hostile inputs', () => {
  it(`each end as an image, as data or with a sentence, and good ones among them are taken rightly (${COUNT})`, async () => {
    const test = openTestOutbox()
    const logger = createRecordingLogger()
    const camera = temporaryFolder()
    const spoolFolder = join(test.folder, 'spool')
    const pictureFolder = join(spoolFolder, 'incoming')
    mkdirSync(pictureFolder, { recursive: true })
    const photos = startPhotoThreads(1, { workerUrl, logger })
    onTestFinished(() => photos.close())
    const settings = settingsSchema.parse({ folders: [{ path: camera }] })
    const context = {
      outbox: test.outbox,
      clock: new ManualClock(),
      settings: () => settings,
      spoolFolder,
      pictureFolder,
      readPhoto: photos.read.bind(photos),
      storageIs: (trouble: unknown) => expect(trouble).toBeNull(),
    }
    const inputs = await hostileInputs(COUNT, propertySeed)
    const before = process.memoryUsage().rss
    const began = performance.now()
    let highest = before
    const counts = new Map<Ending, number>()
    const badly: { path: string; ending: Ending; messages: readonly string[] }[] = []
    const coming = inputs.entries()
    const take = async (): Promise<void> => {
      for (const [index, input] of coming) {
        if (index === COUNT >> 1) await throwGood(context, camera, 'OD')
        const { ending, messages } = await throwAt(context, camera, input)
        counts.set(ending, (counts.get(ending) ?? 0) + 1)
        if (ending === 'silence' || ending === 'error') badly.push({ path: input.path, ending, messages })
        if (index % 100 === 0) highest = Math.max(highest, process.memoryUsage().rss)
      }
    }
    // Two at a time, as the station takes them.
    await Promise.all([take(), take()])
    await throwGood(context, camera, 'OS')
    const growth = (highest - before) / MEGABYTE
    const seconds = (performance.now() - began) / 1_000
    if (process.env['PROPERTY_SHARE'] !== undefined)
      process.stdout.write(
        `${COUNT} inputs, ${seconds.toFixed(1)} s, RSS +${growth.toFixed(0)} MB, ${JSON.stringify([...counts])}\n`,
      )
    expect(badly).toEqual([])
    expect(growth).toBeLessThan(MOST_GROWTH_MB)
    const [good, ...others] = test.outbox.submissions.list({ search: 'H-00777', limit: 5 }).items
    expect(others).toEqual([])
    expect(good?.images.map((image) => image.eye)).toEqual(['right', 'left'])
    expect(good?.reasons).toEqual([])
    expect(good?.fields).toEqual({ history_number: 'H-00777', visit_date: '2026-11-20' })
    expect(logger.errors()).toEqual([])
  }, 600_000)
})

/** A case as it should be, among all the others. */
async function throwGood(
  context: Parameters<typeof throwAt>[0],
  camera: string,
  eye: 'OD' | 'OS',
): Promise<void> {
  const bytes = await drawing(eye === 'OD' ? 33 : 34, 20)
    .jpeg()
    .toBuffer()
  const path = `H-00777_20261120/H-00777_20261120_${eye}_1.jpg`
  expect(await throwAt(context, camera, { path, bytes })).toEqual({ ending: 'image', messages: [] })
}

it.each([
  // The record at the end (APPNOTE 4.3.16) says that there is nothing.
  ['whose directory names nothing', 'a.txt', (zip: Buffer) => Buffer.from(zip).fill(0, zip.length - 18)],
  ['that holds only what systems leave', '.DS_Store', (zip: Buffer) => zip],
])('an archive %s is noted, and is not taken in silence', async (_, name, change) => {
  const bytes = change(await zipOf([{ name, bytes: Buffer.from('a') }]))
  const station = new CameraStation([{ path: 'export.zip', bytes, at: Date.UTC(2026, 10, 20, 9) }])
  onTestFinished(() => station.leave())
  await station.start()
  await station.take(['export.zip'])
  expect(station.intake.status()[0]?.notes).toMatchObject([{ fileName: 'export.zip', kind: 'ignored' }])
})
