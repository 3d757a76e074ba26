/** Images on which the process dies that reads them: named at once, read once more, set aside, and missed by their case. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readDataFile } from '../../../../src-main/station/readers/read-data.ts'
import { readPhoto } from '../../../../src-main/reader/pictures/photo.ts'
import type { FileMark } from '../../../../src-main/reader/watch-messages.ts'
import { endAttempt, startAttempt } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { findPriorResults } from '../../../../src-main/station/cases/cases.ts'
import { zipOf } from '../../reader/draw-zips.ts'
import { markIn, picture, type TestCases, watchingCases } from './cases-with.ts'

const VISIT = 'H-00017_20261120'
const [OD, OS] = [`${VISIT}/H-00017_OD_1.png`, `${VISIT}/H-00017_OS_1.png`]
const RECORD = JSON.stringify({
  history_number: 'H-00017',
  visit_date: '2026-11-20',
  images: { 'H-00017_OD_1.png': 'OD', 'H-00017_OS_1.png': 'OS' },
})

let station: TestCases
/** How often it still dies, and how often an image was read. */
let [deathsLeft, readings] = [0, 0]
let version = '1'

/** A folder that sends automatically, and the right eye of a visit whose data file proves all of it. */
beforeEach(async () => {
  ;[deathsLeft, readings, version] = [0, 0, '1']
  station = await watchingCases({ sendWithoutReview: true }, [], {
    outboxFolder: temporaryFolder(),
    get version() {
      return version
    },
    readDataFile: async (name, bytes, how, onDeath) => {
      if (!name.includes('H-00018') || deathsLeft <= 0) return readDataFile(name, bytes, how)
      deathsLeft -= 1
      onDeath?.()
      throw new Error('the process died')
    },
    readPhoto: (request, onDeath) => {
      readings += 1
      if (deathsLeft <= 0) return readPhoto(request)
      deathsLeft -= 1
      onDeath?.()
      return Promise.resolve({ kind: 'died' })
    },
  })
  await station.arrive(`${VISIT}/case.json`, RECORD)
  await station.arrive(OD)
})

/** A sweep finds the file again, and it is read if it may be; the image comes under this name. */
async function sweep(name = OS, { isDone = false } = {}): Promise<void> {
  if (isDone) return station.see(name)
  station.emit(name)
  await station.clock.turn(1_000)
}
const minute = (): void => station.clock.set(60_000)
const notes = () => station.cases.folders.status()[0]?.notes.map(({ fileName, kind }) => [fileName, kind])
const counts = () => station.cases.folders.status()[0]?.noteCounts
const priorOf = (file: FileMark) =>
  findPriorResults(station.test.outbox, [file], { at: station.clock.now(), version })[0]

describe('an image on which a process died once', () => {
  beforeEach(async () => {
    deathsLeft = 1
    await station.write(OS)
    await sweep()
  })

  it('is named, and its case waits for it; it is read again after a minute, and the case goes with it', async () => {
    expect(notes()).toEqual([[OS, 'unreadable']])
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'incomplete', images: [{ eye: 'right' }], unusableFiles: [{ fileName: OS, why: 'suspect' }] },
    ])
    expect(readings).toBe(2)
    await sweep(OS, { isDone: true })
    expect(notes()).toEqual([])
    await station.quiet()
    expect(station.open()).toMatchObject([
      { images: [{ eye: 'right' }, { eye: 'left' }], unusableFiles: [{ decision: 'replaced' }] },
    ])
  })

  it('that is a copy of another is not awaited any more once it was read', async () => {
    minute()
    await sweep(OS, { isDone: true })
    const copy = `${VISIT}/H-00017_OS_2.png`
    deathsLeft = 0
    await station.write(copy, readFileSync(join(station.camera, OS)))
    station.setAside(copy, 'suspect')
    await sweep(copy, { isDone: true })
    await station.quiet()
    expect(station.open()).toMatchObject([
      { state: 'review', unusableFiles: [{ decision: 'replaced' }, { decision: 'replaced' }] },
    ])
  })

  it('is not read within that minute', async () => {
    await sweep()
    await sweep()
    expect(readings).toBe(2)
    expect(priorOf(markIn(station.camera, OS))).toEqual({ as: 'suspect', inMs: expect.any(Number) })
  })

  it('is a new one if it is written over, and read at once', async () => {
    await station.arrive(OS)
    expect(readings).toBe(3)
    expect(notes()).toEqual([])
  })
})

describe('an image on which a process died twice', () => {
  const die = async (): Promise<void> => {
    deathsLeft = 2
    await station.write(OS)
    await sweep()
    minute()
    await sweep(OS, { isDone: true })
  }

  it('is set aside, named and counted, and its case waits for a person, also after a restart', async () => {
    await die()
    for (const round of ['before', 'after'] as const) {
      if (round === 'after') {
        await station.restart()
        await station.clock.turn(1_000)
      }
      // A sweep that had begun before may still report it.
      await sweep()
      expect(notes()).toEqual([[OS, 'setAside']])
      expect(counts()).toEqual({ setAside: 1 })
      expect(priorOf(markIn(station.camera, OS))).toBe('setAside')
      await station.quiet()
      expect(station.open()).toMatchObject([
        { state: 'incomplete', unusableFiles: [{ fileName: OS, eye: 'left', why: 'setAside' }] },
      ])
    }
    expect(readings).toBe(3)
  })

  it('is read once more by another version of the program, and set aside by that, too', async () => {
    await die()
    version = '2'
    await station.restart()
    deathsLeft = 1
    expect(priorOf(markIn(station.camera, OS))).toEqual({ as: 'suspect', inMs: 0 })
    await sweep(OS, { isDone: true })
    expect(readings).toBe(4)
    expect(priorOf(markIn(station.camera, OS))).toBe('setAside')
  })

  it('is read once more if a person wants it, and comes into its case', async () => {
    await die()
    expect(station.cases.folders.tryAgain(station.camera, OD)).toBe(false)
    expect(station.cases.folders.tryAgain(station.camera, OS)).toBe(true)
    await sweep(OS, { isDone: true })
    await station.quiet()
    expect(notes()).toEqual([])
    expect(station.open()).toMatchObject([{ images: [{ eye: 'right' }, { eye: 'left' }] }])
  })

  it('raises an alarm over a case that was sent, at the second death and not before', async () => {
    await station.quiet()
    const [sent] = station.open()
    startAttempt(station.test, sent?.id ?? '')
    endAttempt(station.test, sent?.id ?? '', 'delivered')
    deathsLeft = 2
    await station.write(OS)
    await sweep()
    expect(station.test.outbox.openAlarms()).toEqual([])
    minute()
    await sweep(OS, { isDone: true })
    expect(station.test.outbox.openAlarms()).toMatchObject([{ kind: 'damagedFellow' }])
  })
})

it.each([OS, 'H-00017.zip'])(
  '%s that ends the process of its folder while it is taken in is named',
  async (name) => {
    await station.write(name)
    for (const at of [0, 60_000])
      station.test.outbox.recordDeaths([markIn(station.camera, name)], { at, version }, true)
    await sweep(name, { isDone: true })
    expect([notes(), counts()]).toEqual([[[name, 'setAside']], { setAside: 1 }])
    await station.quiet()
    const unusable = name === OS ? [{ fileName: OS, why: 'setAside' }] : []
    expect(station.open()).toMatchObject([{ unusableFiles: unusable }])
  },
)

it('an entry of an archive is read again with it, and the others come in', async () => {
  deathsLeft = 2
  const zip = await zipOf([
    { name: 'H-00018_OD_1.png', bytes: await picture() },
    { name: 'H-00018_OS_1.png', bytes: await picture() },
  ])
  await station.write('H-00018.zip', zip)
  await sweep('H-00018.zip')
  // The first died, then the second: both are suspects.
  await vi.waitFor(() => expect(notes()?.map(([, kind]) => kind)).toEqual(['unreadable', 'unreadable']))
  minute()
  deathsLeft = 1
  await sweep('H-00018.zip', { isDone: true })
  expect(counts()).toEqual({ setAside: 1 })
  expect(readings).toBe(5)
  station.emit('H-00018.zip')
  await station.clock.turn(1_000)
  expect(readings).toBe(5)
  station.cases.folders.tryAgain(station.camera, 'H-00018.zip/H-00018_OD_1.png')
  await station.restart()
  await sweep('H-00018.zip', { isDone: true })
  await vi.waitFor(() => expect(counts()).toEqual({}))
})

describe('the record of a visit on which a process died', () => {
  const OTHER = 'H-00018_20261120'
  const record = RECORD.replaceAll('H-00017', 'H-00018')
  const other = () => station.open().find(({ images }) => images[0]?.fileName.startsWith(OTHER))
  const begin = async (deaths: number): Promise<void> => {
    deathsLeft = deaths
    await station.write(`${OTHER}/case.json`, record)
    await sweep(`${OTHER}/case.json`)
    deathsLeft = 0
    for (const eye of ['OD', 'OS']) await station.arrive(`${OTHER}/H-00018_${eye}_1.png`)
    deathsLeft = deaths - 1
  }

  it('is awaited by its case, and read a minute later as if nothing had been', async () => {
    await begin(1)
    expect(notes()).toEqual([[`${OTHER}/case.json`, 'unreadable']])
    expect(other()?.reasons.map(({ kind }) => kind)).toContain('sidecarUnreadable')
    minute()
    await sweep(`${OTHER}/case.json`, { isDone: true })
    await station.quiet()
    expect([notes(), other()?.state]).toEqual([[], 'waiting'])
  })

  it('is awaited by its case also if it was the process of the folder', async () => {
    await station.write(`${OTHER}/case.json`, record)
    station.setAside(`${OTHER}/case.json`, 'suspect')
    for (const eye of ['OD', 'OS']) await station.arrive(`${OTHER}/H-00018_${eye}_1.png`)
    await station.quiet()
    expect(other()?.reasons.map(({ kind }) => kind)).toContain('sidecarUnreadable')
    await sweep(`${OTHER}/case.json`, { isDone: true })
    await station.quiet()
    expect([notes(), other()?.state]).toEqual([[], 'waiting'])
    // Known too late, it changes nothing that was read.
    station.setAside(`${OTHER}/case.json`, 'suspect')
    await station.quiet()
    expect(other()?.reasons.map(({ kind }) => kind)).not.toContain('sidecarUnreadable')
  })

  it('twice is set aside, named and counted, and the case waits for a person', async () => {
    await begin(2)
    minute()
    await sweep(`${OTHER}/case.json`, { isDone: true })
    await station.quiet()
    expect([notes(), counts()]).toEqual([[[`${OTHER}/case.json`, 'setAside']], { setAside: 1 }])
    expect(other()?.state).not.toBe('waiting')
    expect(other()?.reasons.map(({ kind }) => kind)).toContain('sidecarUnreadable')
    expect(station.cases.folders.tryAgain(station.camera, `${OTHER}/case.json`)).toBe(true)
    await sweep(`${OTHER}/case.json`, { isDone: true })
    await station.quiet()
    expect([notes(), other()?.state]).toEqual([[], 'waiting'])
  })
})

it('what a table stated holds while it is to be read once more', async () => {
  const table = 'H-00018.csv'
  const rows = (count: number): string =>
    ['history_number,visit_date', ...Array.from({ length: count }, (_, at) => `H-0002${at},2026-11-20`)].join(
      '\n',
    )
  const stated = () =>
    station.test.outbox
      .recordsOfSidecar(station.camera, table.toLowerCase())
      .filter(({ withdrawn_at }) => withdrawn_at === null)
  await station.arrive(table, rows(2))
  expect(stated()).toHaveLength(2)
  deathsLeft = 1
  await station.write(table, rows(3))
  await sweep(table)
  expect([deathsLeft, stated().length]).toEqual([0, 2])
  minute()
  await sweep(table, { isDone: true })
  expect(stated()).toHaveLength(3)
})
