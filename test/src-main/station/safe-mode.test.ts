import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

it('in safe mode a station shows what it has, takes in nothing and sends no request, until a person starts it normally', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  addWaiting(test)
  test.close()
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
  const config = { settings: settingsSchema.parse(stated), stated, enforced: [], unknownNames: [] }
  const clock = new ManualClock()
  let asked = 0
  const proxyFor = () => {
    asked += 1
    return Promise.resolve(null)
  }
  const ports = stationPorts({ clock, proxies: { proxyFor } })
  const station = await openStation({ dataFolder, ports, config, startAs: 'safe' })
  onTestFinished(() => station.stop())
  const answer = (name: string, input: unknown = {}) =>
    answerCall(station.handlers, createRecordingLogger(), name, input)

  // Whatever wakes a station elsewhere does nothing here.
  station.wakeUp()
  expect(await answer('station.resume')).toMatchObject({ ok: true })
  const { folders, service: named } = stated
  expect(await answer('settings.update', { folders, service: named })).toMatchObject({ ok: true })
  await clock.turn(10 * 60_000)
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
  // Again changes nothing, and is recorded once.
  await answer('station.startNormally')
  expect(await answer('audit.list', { what: ['startedNormally'] })).toMatchObject({
    value: { items: [{ what: 'startedNormally', by: 'AB' }] },
  })
})

it('in safe mode the patient list, a foreign file, is not read until a person starts the station normally', async () => {
  const list = join(temporaryFolder(), 'patients.csv')
  writeFileSync(list, 'NHC;Apellidos\n1;Peña\n')
  const stated = { patientList: { path: list, dateOrder: 'ymd' as const, columns: {} } }
  const config = { settings: settingsSchema.parse(stated), stated, enforced: [], unknownNames: [] }
  const clock = new ManualClock()
  const station = await openStation({
    dataFolder: temporaryFolder(),
    ports: stationPorts({ clock }),
    config,
    startAs: 'safe',
  })
  onTestFinished(() => station.stop())
  const answer = (name: string, input: unknown = {}) =>
    answerCall(station.handlers, createRecordingLogger(), name, input)
  const listKind = (kind: string) => ({ value: { patientList: { kind } } })
  expect(await answer('station.status')).toMatchObject(listKind('off'))
  await clock.turn(60_000)
  expect(await answer('station.status')).toMatchObject(listKind('off'))
  await answer('station.startNormally', { by: 'AB' })
  await clock.turn(60_000)
  expect(await answer('station.status')).toMatchObject(listKind('read'))
})
