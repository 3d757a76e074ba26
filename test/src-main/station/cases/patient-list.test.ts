import { rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openedHere } from '../../../../src-main/reader/foreign-files.ts'
import type { Lying } from '../../../../src-main/reader/messages.ts'
import {
  openPatientList,
  type PatientListMonitor,
  type PeopleOfList,
  peopleOfNumber,
} from '../../../../src-main/station/cases/patient-list.ts'
import { readPatientList } from '../../../../src-main/station/readers/read-data.ts'
import { parseConfig } from '../../../../src-main/station/settings/managed-files.ts'
import { openStation } from '../../../../src-main/station/station.ts'
import type { PatientListSettings } from '../../../../src-shared/settings.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import {
  addTestImage,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
} from '../../../tools/outbox-with.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const CSV = `NHC;Apellidos;Nombre;Sexo;Fecha nacimiento;Edad;Diabetes;Antecedentes;Ojo;Archivo;PIO;Fecha
004512;Muñoz Peña;Ana;Mujer;02.06.1970;54;Sí;glaucoma;OD;a.jpg;14;20.11.2026
h-77;López;Juan;Hombre;25.12.1950;70;No;;;;;
`

/** The one patient under a number. */
function find(list: PeopleOfList, number: string) {
  const [one = null, ...others] = peopleOfNumber(list, number)
  return others.length === 0 ? one : null
}

function read(content: string | Buffer, columns = {}): { list: PeopleOfList; message: string | undefined } {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const reading = readPatientList(bytes, { columns, dateOrder: 'dmy' })
  if (!reading.ok) throw new Error(reading.problem.message)
  return { list: reading.people, message: reading.unused?.message }
}

describe('a patient list', () => {
  it('knows what is the patient’s, and nothing of a visit, an eye or a file', () => {
    const { list, message } = read(Buffer.from(CSV, 'latin1'))
    expect(message).toBeUndefined()
    expect(find(list, '004512')).toEqual({
      fields: {
        last_name: 'Muñoz Peña',
        first_name: 'Ana',
        gender: 1,
        diabetes: 1,
        ophthalmic_antecedents: 'glaucoma',
      },
      birthDate: '1970-06-02',
      files: [],
      eyes: {},
      rejected: [],
    })
  })

  it.each([
    ['H-77', true],
    [' h-77 ', true],
    ['H77', false],
    ['4512', false],
    ['0004512', false],
    ['004512', true],
    ['', false],
    ['__proto__', false],
  ])('finds %j: %s, whatever the capitals, and never by other zeros', (number, isFound) => {
    expect(find(read(CSV).list, number) !== null).toBe(isFound)
  })

  const twice: readonly (readonly [what: string, rows: string, isUsed: boolean])[] = [
    ['the same person', '1;Muñoz;Ana;02.06.1970\n1;MUÑOZ;ana;02.06.1970\n', true],
    ['one person in parts', '1;Muñoz;;\n1;;Ana;02.06.1970\n', true],
    ['two last names', 'a-1;Muñoz;Ana;02.06.1970\nA-1;López;Ana;02.06.1970\n', false],
    ['two birth dates', '1;Muñoz;Ana;02.06.1970\n1;Muñoz;Ana;03.06.1970\n', false],
    ['twins', '1;Muñoz;Ana;02.06.1970\n1;Muñoz;Eva;02.06.1970\n', false],
    ['two people and a third row', '1;Muñoz;Ana;\n1;López;Ana;\n1;Muñoz;Ana;\n', false],
  ]
  it.each(twice)('with one number twice for %s: used %s', (_, rows, isUsed) => {
    const { list, message } = read(`NHC;Apellidos;Nombre;DOB\n${rows}2;Peña;Eva;\n`)
    expect((find(list, '1') ?? find(list, 'a-1')) !== null).toBe(isUsed)
    expect(find(list, '2') !== null).toBe(true)
    if (isUsed) expect(message).toBeUndefined()
    else expect(message).toMatch(/: 1 history number of different people\./)
  })

  it('says what of it is not used, without naming it', () => {
    const { list, message } = read('NHC;Apellidos;DOB\n1;Muñoz;1970\n;Peña;\n3;x;y;z\n')
    expect(find(list, '1')).toMatchObject({ rejected: [{ field: 'birth_date' }] })
    expect(message).toMatch(
      /1 row without a valid history number, 1 row that does not match.*, 1 patient with invalid values/,
    )
    expect(message).not.toMatch(/Muñoz|Peña|1970/)
  })

  it('is read by the headings that the settings name', () => {
    const { list } = read('Expediente,Nac\nX-1,02/06/1970\n', {
      expediente: 'history_number',
      nac: 'birth_date',
    })
    expect(find(list, 'x-1')?.birthDate).toBe('1970-06-02')
  })

  it.each([
    ['nothing', ''],
    ['no numbers', 'Apellidos;Nombre\nMuñoz;Ana\n'],
    ['headings only', 'NHC;Apellidos\n'],
    ['an image', Buffer.of(0xff, 0xd8, 0xff, 0, 1, 0)],
    ['a quote without end', 'NHC;Apellidos\n1;"Muñoz\n'],
  ])('that holds %s is not used, with a sentence', (_, content) => {
    const reading = readPatientList(Buffer.from(content), { columns: {}, dateOrder: 'ymd' })
    expect(reading).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(/^The patient list .*Save it again as CSV/) },
    })
  })
})

const SECOND = 1_000
const LOGGER = { info: () => undefined, warn: () => undefined, error: () => undefined }

type Foreign = Parameters<typeof openPatientList>[0]['foreign']
type Understand = Parameters<typeof openPatientList>[0]['readList']

describe('the patient list that is kept', () => {
  let path: string
  let clock: ManualClock
  let settings: PatientListSettings | null
  let changes: number
  let keeper: PatientListMonitor

  beforeEach(() => {
    path = join(temporaryFolder(), 'patients.csv')
    clock = new ManualClock()
    settings = { path, dateOrder: 'ymd', columns: {} }
    changes = 0
  })

  /** With this list, if there is one, after two looks. */
  const open = async (
    list?: string,
    foreign: Foreign = openedHere,
    readList: Understand = (...list) => Promise.resolve(readPatientList(...list)),
  ): Promise<void> => {
    if (list !== undefined) await writeFile(path, list)
    keeper = openPatientList({
      settings: () => settings,
      clock,
      logger: LOGGER,
      readList,
      foreign,
    })
    onTestFinished(() => Promise.race([keeper.close(), clock.turn(2 * SECOND)]))
    keeper.onChange(() => (changes += 1))
    await clock.settle()
    if (list !== undefined) await clock.turn(5 * SECOND)
  }
  const nameOf = (number: string): string | undefined => keeper.peopleOf(number)[0]?.fields.last_name
  const LIST = 'NHC;Apellidos\n1;Muñoz\n'

  const never = <Value>(): Promise<Value> => new Promise(() => undefined)
  const lying = (stamp: number): Lying => ({
    path,
    sizeBytes: 1,
    mtimeMs: stamp,
    inode: 1,
    isFile: true,
  })
  it.each<readonly [string, Foreign, number, number, string]>([
    ['hangs when it is asked for the file', { locate: never, read: never }, 6, 10, 'unreachable'],
    [
      'hangs when the file is read',
      { locate: () => Promise.resolve(lying(1)), read: never },
      11,
      65,
      'unreachable',
    ],
    [
      'has a file that is written without an end',
      { locate: () => Promise.resolve(lying(clock.now())), read: never },
      60,
      60,
      'settling',
    ],
  ])('on a share that %s is waited for, but not for ever', async (_, foreign, waited, seconds, kind) => {
    await open(undefined, foreign)
    await clock.turn(waited * SECOND - 1)
    expect([keeper.status().kind, keeper.isPending()]).toEqual(['settling', true])
    await clock.turn(1)
    expect(keeper.isPending()).toBe(false)
    await clock.turn(Math.max(0, (seconds - waited) * SECOND - 1))
    expect(keeper.status().kind).toBe('settling')
    await clock.turn(1)
    expect([keeper.status().kind, keeper.isPending()]).toEqual([kind, false])
  })

  it.each<
    readonly [string, after: readonly [locate: number, read: number, understand: number], seconds: number]
  >([
    ['is long to understand', [0, 0, 20], 25],
    ['is long, and comes slowly', [0, 20, 0], 25],
    ['lies on a slow share', [4, 4, 0], 25],
  ])('that %s is waited for', async (_, [locateAfter, readAfter, understandAfter], seconds) => {
    const later = async <Value>(value: Value, after: number): Promise<Value> => {
      if (after > 0) await new Promise<void>((resolve) => clock.after(after * SECOND, resolve))
      return value
    }
    const foreign: Foreign = {
      locate: () => later({ ...lying(1), sizeBytes: 20 * 1_024 * 1_024 }, locateAfter),
      read: () => later(Buffer.from(LIST), readAfter),
    }
    await open(undefined, foreign, (...read) => later(readPatientList(...read), understandAfter))
    for (let second = 0; second < seconds; second += 1) {
      expect([second, keeper.status().kind, keeper.isPending()]).toEqual([second, 'settling', true])
      await clock.turn(SECOND)
    }
    expect([keeper.status().kind, nameOf('1')]).toEqual(['read', 'Muñoz'])
  })

  it('that hung is asked for once at a time, and read when it answers again', async () => {
    const asked: PromiseWithResolvers<Lying>[] = []
    const locate = (): Promise<Lying> => {
      if (asked.length > 0) return Promise.resolve(lying(1))
      asked.push(Promise.withResolvers<Lying>())
      return asked[0]!.promise
    }
    await open(undefined, { locate, read: () => Promise.resolve(Buffer.from(LIST)) })
    await clock.turn(300 * SECOND)
    expect([keeper.status().kind, asked.length]).toEqual(['unreachable', 1])
    asked[0]!.resolve(lying(1))
    await clock.turn(60 * SECOND)
    expect([keeper.status().kind, nameOf('1')]).toEqual(['read', 'Muñoz'])
  })

  it('is read when it stood still over two looks, and again when it changed', async () => {
    await writeFile(path, LIST)
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
    await open(LIST)
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
    await open(LIST)
    const { readAt } = keeper.status()

    await rename(path, `${path}.away`)
    await clock.turn(30 * SECOND)
    expect(keeper.status()).toMatchObject({
      kind: 'unreachable',
      patients: 1,
      readAt,
      message: expect.stringMatching(/cannot be reached.*previous list stays in use/),
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
      message: expect.stringMatching(/history numbers.*previous list stays in use/),
    })
    expect(nameOf('1')).toBe('Muñoz')
  })

  it('that never was there is unreachable, and is found when it comes', async () => {
    await open()
    expect(keeper.status()).toMatchObject({ kind: 'unreachable', patients: 0, readAt: null })
    await writeFile(path, LIST)
    await clock.turn(60 * SECOND)
    expect(nameOf('1')).toBe('Muñoz')
  })

  it('follows the settings when asked to read again', async () => {
    await open('NHC;Apellidos;DOB\n1;Muñoz;02.06.1970\n')
    expect(keeper.peopleOf('1')[0]?.birthDate).toBeNull()

    settings = { path, dateOrder: 'dmy', columns: {} }
    keeper.recheck()
    await clock.turn(5 * SECOND)
    expect(keeper.peopleOf('1')[0]?.birthDate).toBe('1970-06-02')

    settings = { path: `${path}.other`, dateOrder: 'dmy', columns: {} }
    keeper.recheck()
    await clock.settle()
    expect(keeper.peopleOf('1')).toEqual([])
    expect(keeper.status()).toMatchObject({ kind: 'unreachable', patients: 0 })

    settings = null
    keeper.recheck()
    await clock.settle()
    expect(keeper.status()).toEqual({ kind: 'off', patients: 0, message: null, readAt: null })
  })

  it('that is a folder is unreachable, not the end of looking', async () => {
    settings = { path: dirname(path), dateOrder: 'ymd', columns: {} }
    await open()
    await clock.turn(5 * SECOND)
    expect(keeper.status().kind).toBe('unreachable')
    settings = { path, dateOrder: 'ymd', columns: {} }
    await writeFile(path, LIST)
    keeper.recheck()
    await clock.turn(5 * SECOND)
    expect(nameOf('1')).toBe('Muñoz')
  })

  it('looks no more once closed', async () => {
    await open()
    await keeper.close()
    await writeFile(path, LIST)
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
  const id = test.outbox.createSubmission(
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
  const config = parseConfig(stated)
  const clock = new ManualClock()
  const station = await openStation({ dataFolder, ports: stationPorts({ clock }), config })
  onTestFinished(() => station.stop())
  const answer = await station.handlers['submissions.get']({ id })
  expect(answer).toMatchObject({ value: { state: 'collecting' } })
  // The process that opens the list goes by another clock.
  await vi.waitFor(
    async () => {
      await clock.turn(SECOND)
      expect(await station.handlers['submissions.get']({ id })).toMatchObject({
        value: { state: 'waiting', fields: { last_name: 'Muñoz' } },
      })
    },
    { timeout: 13_000, interval: 400 },
  )
})
