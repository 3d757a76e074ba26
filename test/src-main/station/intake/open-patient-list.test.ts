import { mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openPatientList, type PatientListMonitor } from '../../../../src-main/station/intake/patient-list.ts'
import { openStation } from '../../../../src-main/station/station.ts'
import { type PatientListSettings, settingsSchema } from '../../../../src-shared/settings.ts'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
} from '../../../tools/outbox-with.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'

const SECOND = 1_000
const LOGGER = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('the patient list that is kept', () => {
  let folder: string
  let path: string
  let clock: ManualClock
  let settings: PatientListSettings | null
  let changes: number
  let keeper: PatientListMonitor

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patient-list-'))
    path = join(folder, 'patients.csv')
    clock = new ManualClock()
    settings = { path, dateOrder: 'ymd', columns: {} }
    changes = 0
  })
  afterEach(async () => {
    await keeper.close()
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (): Promise<void> => {
    keeper = openPatientList({
      settings: () => settings,
      clock,
      logger: LOGGER,
    })
    keeper.onChange(() => (changes += 1))
    await clock.settle()
  }
  const nameOf = (number: string): string | undefined => keeper.find(number)?.fields.last_name

  it('is read when it stood still over two looks, and again when it changed', async () => {
    await writeFile(path, 'NHC;Apellidos\n1;Muñoz\n')
    await open()
    expect(keeper.status()).toEqual({ kind: 'settling', patients: 0, message: null, readAt: null })
    expect(nameOf('1')).toBeUndefined()
    await clock.turn(5 * SECOND)
    expect(keeper.status()).toEqual({ kind: 'read', patients: 1, message: null, readAt: clock.now() })
    expect(nameOf('1')).toBe('Muñoz')
    const changesBefore = changes

    await clock.turn(90 * SECOND)
    expect(changes).toBe(changesBefore)
    await writeFile(path, 'NHC;Apellidos\n1;Muñoz\n2;Peña\n')
    await clock.turn(35 * SECOND)
    expect(nameOf('2')).toBe('Peña')
    expect(changes).toBe(changesBefore + 1)
  })

  it('is not read while it grows, and the one before stays in use', async () => {
    await writeFile(path, 'NHC;Apellidos\n1;Muñoz\n')
    await open()
    await clock.turn(5 * SECOND)
    for (let row = 2; row < 9; row += 1) {
      await writeFile(path, `NHC;Apellidos\n${row};Growing\n`.repeat(row))
      await clock.turn(4 * SECOND)
      keeper.recheck()
      await clock.settle()
      expect(nameOf('1')).toBe('Muñoz')
      expect(keeper.status().patients).toBe(1)
    }
  })

  it('stays in use while its file is away or cannot be read, and says so', async () => {
    await writeFile(path, 'NHC;Apellidos\n1;Muñoz\n')
    await open()
    await clock.turn(5 * SECOND)
    const { readAt } = keeper.status()

    await rename(path, `${path}.away`)
    await clock.turn(30 * SECOND)
    expect(keeper.status()).toMatchObject({
      kind: 'unreachable',
      patients: 1,
      readAt,
      message: expect.stringMatching(/cannot be reached.*before stays in use/),
    })
    expect(nameOf('1')).toBe('Muñoz')
    await rename(`${path}.away`, path)
    await clock.turn(60 * SECOND)
    expect(keeper.status()).toMatchObject({ kind: 'read', patients: 1, message: null })

    await writeFile(path, 'Dear colleague')
    await clock.turn(60 * SECOND)
    expect(keeper.status()).toMatchObject({
      kind: 'unreadable',
      patients: 1,
      message: expect.stringMatching(/history numbers.*before stays in use/),
    })
    expect(nameOf('1')).toBe('Muñoz')
  })

  it('that never was there is unreachable, and is found when it comes', async () => {
    await open()
    expect(keeper.status()).toMatchObject({ kind: 'unreachable', patients: 0, readAt: null })
    await writeFile(path, 'NHC;Apellidos\n1;Muñoz\n')
    await clock.turn(60 * SECOND)
    expect(nameOf('1')).toBe('Muñoz')
  })

  it('follows the settings when told to look again', async () => {
    await writeFile(path, 'NHC;Apellidos;DOB\n1;Muñoz;02.06.1970\n')
    await open()
    await clock.turn(5 * SECOND)
    expect(keeper.find('1')?.birthDate).toBeNull()

    settings = { path, dateOrder: 'dmy', columns: {} }
    keeper.recheck()
    await clock.turn(5 * SECOND)
    expect(keeper.find('1')?.birthDate).toBe('1970-06-02')

    settings = { path: join(folder, 'other.csv'), dateOrder: 'dmy', columns: {} }
    keeper.recheck()
    await clock.settle()
    expect(keeper.find('1')).toBeNull()
    expect(keeper.status()).toMatchObject({ kind: 'unreachable', patients: 0 })

    settings = null
    keeper.recheck()
    await clock.settle()
    expect(keeper.status()).toEqual({ kind: 'off', patients: 0, message: null, readAt: null })
  })

  it('that is a folder is unreachable, not the end of looking', async () => {
    settings = { path: folder, dateOrder: 'ymd', columns: {} }
    await open()
    await clock.turn(5 * SECOND)
    expect(keeper.status().kind).toBe('unreachable')
    settings = { path, dateOrder: 'ymd', columns: {} }
    await writeFile(path, 'NHC;Apellidos\n1;Muñoz\n')
    keeper.recheck()
    await clock.turn(5 * SECOND)
    expect(nameOf('1')).toBe('Muñoz')
  })

  it('looks no more once closed', async () => {
    await open()
    await keeper.close()
    await writeFile(path, 'NHC;Apellidos\n1;Muñoz\n')
    await clock.turn(120 * SECOND)
    expect(nameOf('1')).toBeUndefined()
    expect(clock.timerCount).toBe(0)
    await unlink(path)
  })
})

it('is awaited by a case that went quiet while the station was off', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const camera = temporaryFolder()
  const id = test.outbox.submissions.create(
    newSubmission({
      folderPath: camera,
      sources: { history_number: 'person', visit_date: 'person' },
      quietUntil: MORNING,
    }),
  )
  addTestImage(test, id, { bytes: someBytes(), eyeSource: 'person' })
  test.close()
  const list = join(temporaryFolder(), 'patients.csv')
  await writeFile(list, 'NHC;Apellidos\nH-00017;Muñoz\n')
  const stated = { folders: [{ path: camera, sendWithoutReview: true }], patientList: { path: list } }
  const config = { settings: settingsSchema.parse(stated), stated, enforced: [], unknownNames: [] }
  const clock = new ManualClock()
  const station = await openStation({ dataFolder, ports: stationPorts({ clock }), config })
  onTestFinished(() => station.stop())
  const answer = await station.handlers['submissions.get']({ id })
  expect(answer).toMatchObject({ value: { state: 'collecting' } })
  await clock.turn(30 * SECOND)
  expect(await station.handlers['submissions.get']({ id })).toMatchObject({
    value: { state: 'waiting', fields: { last_name: 'Muñoz' } },
  })
})
