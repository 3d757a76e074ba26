import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { DAY, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import {
  addTestImage,
  addWaiting,
  endAttempt,
  startAttempt,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
} from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { started } from './started.ts'

/** A data folder in which this was done before the station opens. */
function dataFolderAfter<Value>(act: (test: ReturnType<typeof openTestOutbox>) => Value) {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const value = act(test)
  test.close()
  return [dataFolder, value] as const
}

it('a station shows of few changed cases one by one, and of many at once by their ids', async () => {
  const [dataFolder, ids] = dataFolderAfter((test) =>
    test.outbox.write(() => Array.from({ length: 21 }, () => addWaiting(test))),
  )
  const { station, answer } = await started({}, { dataFolder, clock: new ManualClock() })
  const notified: unknown[] = []
  station.on(({ name, payload }) => {
    if (name === 'submissionChanged') notified.push(payload.id)
    if (name === 'submissionsChanged') notified.push(payload.ids)
  })
  await answer('submissions.hold', { ids })
  expect(notified.splice(0)).toEqual([ids])
  await answer('submissions.release', { ids: ids.slice(0, 20) })
  expect(notified).toEqual(ids.slice(0, 20))
})

it('no image is removed by a clock years ahead that no service was there to compare', async () => {
  const [dataFolder, path] = dataFolderAfter((test) => {
    const id = addWaiting(test)
    startAttempt(test, id)
    endAttempt(test, id, 'delivered')
    test.outbox.setConfirmed(id, MORNING)
    return test.spoolPath(test.outbox.imageRowsOf(id)[0]?.spool_name ?? '')
  })
  const clock = new ManualClock({ now: MORNING + 3 * 365 * DAY })
  // No one listens there.
  const service = { baseUrl: 'http://127.0.0.1:9/', clientId: 'c', clientSecret: 's' }
  await started({ service, storage: { keepImagesDays: 365 } }, { dataFolder, clock })
  for (let minute = 0; minute < 12; minute += 1) await clock.turn(MINUTE)
  expect(existsSync(path)).toBe(true)
})

it('a case of which a unit changed while it could not be read says so at the start at which it can be', async () => {
  const [dataFolder, id] = dataFolderAfter((test) => {
    const { outbox } = test
    const fields = { history_number: 'H-1', visit_date: '2026-11-20', od_va: 0.8 }
    const sources = { history_number: 'person', visit_date: 'person', od_va: 'person' } as const
    const made = outbox.createSubmission(newSubmission({ folderPath: null, fields, sources }))
    for (const eye of ['right', 'left'] as const)
      addTestImage(test, made, { bytes: someBytes(), eye, eyeSource: 'person' })
    outbox.moveSubmission(made, 'gatheredForReview', {}, { at: MORNING })
    outbox.applyUnits({ vaUnit: 'decimal', prismBase: 'examiner' }, MORNING)
    outbox.quarantine(made, 'images.eye')
    outbox.applyUnits({ vaUnit: 'logMAR', prismBase: 'examiner' }, MORNING)
    return made
  })
  const stated = { clinical: { vaUnit: 'logMAR', prismBase: 'examiner' } }
  const { answer } = await started(stated, { dataFolder, startAs: 'safe' })
  const wording = { key: 'intake:warning.otherUnit' }
  expect(await answer('submissions.get', { id })).toMatchObject({
    value: { state: 'review', fields: { od_va: 0.8 }, oddities: [{ field: 'od_va', wording }] },
  })
})

it('in safe mode a station shows what it has, takes in nothing and sends no request, until a person starts it normally', async () => {
  const [dataFolder] = dataFolderAfter((test) => addWaiting(test))
  const camera = temporaryFolder()
  const drawn = join(temporaryFolder(), 'drawn.jpg')
  await sharp({ create: { width: 64, height: 48, channels: 3, background: '#d9703a' } })
    .jpeg()
    .toFile(drawn)
  copyFileSync(drawn, join(camera, 'H-00017_20261120_OD.jpg'))
  const stated = {
    service: { baseUrl: 'https://127.0.0.1:9/', clientId: 'c', clientSecret: 's' },
    folders: [{ path: camera, settleSeconds: 0, quietSeconds: 0, sweepSeconds: 1, existing: 'include' }],
  }
  const clock = new ManualClock()
  let asked = 0
  const proxyFor = () => {
    asked += 1
    return Promise.resolve(null)
  }
  const ports = stationPorts({ clock, proxies: { proxyFor } })
  const { station, answer } = await started(stated, { dataFolder, ports, startAs: 'safe' })

  // Whatever wakes a station elsewhere does nothing here.
  station.wakeUp()
  expect(await answer('station.resume')).toMatchObject({ ok: true })
  expect(await answer('settings.update', stated)).toMatchObject({ ok: true })
  await clock.turn(10 * MINUTE)
  expect(await answer('station.status')).toMatchObject({
    value: {
      mode: { kind: 'paused', why: 'safeMode', until: null },
      folders: [],
      counts: { waiting: 1 },
      service: { health: 'unknown' },
    },
  })
  expect(await answer('submissions.list')).toMatchObject({ value: { total: 1 } })
  for (const name of ['cases.list', 'centers.list'])
    expect(await answer(name), name).toMatchObject({ ok: false, failure: { kind: 'safeMode' } })
  expect(asked).toBe(0)

  expect(await answer('station.startNormally', { by: 'AB' })).toMatchObject({ ok: true })
  await clock.settle()
  expect(asked).toBeGreaterThan(0)
  const list = async () => {
    await clock.turn(100)
    return answer('submissions.list')
  }
  await expect.poll(list, { timeout: 10_000 }).toMatchObject({ value: { total: 2 } })
  expect(await answer('station.status')).toMatchObject({ value: { mode: { kind: 'running' } } })
  // No screen has asked for it yet.
  const taken = createHash('sha256').update(readFileSync(drawn)).digest('hex')
  expect(readdirSync(join(dataFolder, 'thumbnails'))).toEqual([`${taken}.jpg`])
  // Again changes nothing, and is recorded once.
  await answer('station.startNormally')
  expect(await answer('audit.list', { what: ['startedNormally'] })).toMatchObject({
    value: { items: [{ what: 'startedNormally', by: 'AB' }] },
  })
})

it('in safe mode the patient list, a foreign file, is not read until a person starts the station normally', async () => {
  const path = join(temporaryFolder(), 'patients.csv')
  writeFileSync(path, 'NHC;Apellidos\n1;Peña\n')
  const clock = new ManualClock()
  const stated = { patientList: { path, dateOrder: 'ymd', columns: {} } }
  const { answer } = await started(stated, { clock, startAs: 'safe' })
  const listKind = async () => {
    const status = await answer('station.status')
    return status.ok ? (status.value as { patientList: { kind: string } }).patientList.kind : null
  }
  expect(await listKind()).toBe('off')
  await clock.turn(MINUTE)
  expect(await listKind()).toBe('off')
  await answer('station.startNormally', { by: 'AB' })
  // The process that opens the list goes by another clock.
  await vi.waitFor(
    async () => {
      await clock.turn(SECOND)
      expect(await listKind()).toBe('read')
    },
    { timeout: 10_000, interval: 100 },
  )
})

it.each(['working', 'safe'] as const)(
  'a station that starts %s counts the time to undo from when it works, and announces its end',
  async (startAs) => {
    const undoMs = 10 * SECOND
    const [dataFolder, id] = dataFolderAfter((test) => {
      const made = test.outbox.createSubmission(newSubmission())
      addTestImage(test, made, { bytes: someBytes() })
      test.outbox.moveSubmission(made, 'gatheredForReview', {}, { at: MORNING })
      const before = test.outbox.rowOf(made)
      if (!before) throw new Error('no case')
      const how = { at: MORNING, via: 'screen', undo: { ms: undoMs, before } } as const
      test.outbox.moveSubmission(made, 'approved', {}, how)
      return made
    })
    const clock = new ManualClock()
    const { station, answer } = await started({}, { dataFolder, clock, startAs })
    const announced: (number | null)[] = []
    station.on(({ name, payload }) => {
      if (name === 'submissionChanged') announced.push(payload.undoUntil)
    })
    const undoUntil = async (): Promise<unknown> => {
      const found = await answer('submissions.get', { id })
      return found.ok && (found.value as { undoUntil: unknown }).undoUntil
    }
    if (startAs === 'safe') {
      await clock.turn(MINUTE)
      expect(await undoUntil()).toBe(clock.now() + undoMs)
      await answer('station.startNormally')
    }
    await clock.turn(undoMs - 1)
    expect(await undoUntil()).toBe(clock.now() + 1)
    await clock.turn(1)
    expect([await undoUntil(), announced]).toEqual([null, [null]])
  },
)
