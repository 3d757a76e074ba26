import { describe, expect, it } from 'vitest'
import type { StationParts } from '../../../../src-main/station/api.ts'
import {
  createRedactor,
  redactLogLine,
  redactTrailEntry,
  writeDiagnostics,
} from '../../../../src-main/station/calls/diagnostics.ts'
import type { LogLine } from '../../../../src-main/station/ports.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { FIELD_NAMES, type Fields, fieldsSchema } from '../../../../src-shared/fields.ts'
import { folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import { type Settings, settingsSchema } from '../../../../src-shared/settings.ts'
import { addWaiting, MORNING, SERVICE, someBytes } from '../../../tools/outbox-with.ts'
import { WATCHED_FOLDER } from '../../../src-renderer/synthetic-submission.ts'
import { partsWith, type TestParts } from './parts-with.ts'

/** Every secret and every value of a patient in this test contains one of these; no free space or id has the number alone. */
const IDENTIFYING = /quixwood|zacarias|zqx|(?<![\da-f])4711(?![\da-f])/i

const FOLDER = '/exports/Quixwood family/zqx'

/** Every text field identifies a patient, and every number is as recognisable as can be. */
function identifyingFields(): Fields {
  const entries = FIELD_NAMES.map((name) => {
    if (name === 'visit_date') return [name, '2026-11-20']
    const text = `Zacarias Quixwood zqx ${name}`
    return [name, fieldsSchema.shape[name].safeParse(text).success ? text : 1]
  })
  return { ...fieldsSchema.parse(Object.fromEntries(entries)), od_iop: 4711.25, age: 4711 }
}

const SETTINGS: Partial<Settings> = settingsSchema.parse({
  service: {
    baseUrl: 'https://service.example/zqx/quixwood',
    clientId: 'client-zqx',
    callbackUrl: 'https://hook.example/quixwood?token=zqx',
  },
  centerId: 'center-zqx',
  folders: [
    {
      path: FOLDER,
      leaveAlone: ['Quixwood'],
      eyeWords: { right: ['zqx'] },
      columns: { Zacarias: 'first_name' },
      confirmedProfiles: [
        {
          id: 'quixwood-camera',
          parts: [
            { kind: 'text', text: 'Quixwood_' },
            { kind: 'id', formats: [{ shape: '999999' }] },
          ],
          extensions: ['jpeg'],
          confirmed: { by: 'zqx', at: '2026-11-20T09:00:00.000Z', digest: 'none' },
        },
      ],
    },
  ],
  patientList: { path: 'C:\\lists\\Quixwood.csv', columns: { Zacarias: 'first_name' } },
  reports: { saveTo: '\\\\server\\Quixwood\\zqx' },
})

const LOG: readonly LogLine[] = [
  { at: MORNING, level: 'info', message: 'station opened', facts: { cases: 3 } },
  {
    at: MORNING,
    level: 'warn',
    message: 'a folder cannot be listed',
    facts: { code: 'EACCES', path: FOLDER, names: 'Quixwood', error: 'no such file /exports/zqx.jpg' },
  },
  { at: MORNING, level: 'error', message: `cannot read ${FOLDER}/Zacarias.jpg`, facts: {} },
]

async function fillWithPatients(test: TestParts): Promise<void> {
  const patient = {
    fields: identifyingFields(),
    centerId: 'center-zqx',
    images: [{ bytes: someBytes(), fileName: 'Quixwood_Zacarias_zqx/zqx_OD.jpg' }],
  }
  const edited = addWaiting(test, patient)
  const decision = { by: 'ZQX', why: 'Zacarias Quixwood came twice' }
  await test.call('submissions.hold', { ids: [edited], ...decision })
  await test.call('submissions.release', { ids: [edited], ...decision })
  await test.call('submissions.update', { id: edited, fields: { last_name: 'zqx' }, ...decision })
  await test.call('submissions.moveToCenter', { ids: [edited], centerId: 'otherzqx', ...decision })
  const id = addWaiting(test, { ...patient, images: [{ bytes: someBytes(), fileName: 'zqx/Zacarias.jpg' }] })
  const { outbox } = test
  const { attemptId } = outbox.openAttempt({
    submissionId: id,
    destination: { ...SERVICE, centerId: 'center-zqx' },
    requestBytes: 9,
    at: MORNING,
  })
  const body = Buffer.from('{"error":"Zacarias Quixwood zqx is there"}')
  outbox.endAttempt(
    attemptId,
    {
      outcome: 'unknown',
      handedOverBytes: 9,
      failure: failureOf('notAnswering', { status: 502, serviceSaid: 'Quixwood zqx', message: 'of zqx' }),
      answer: { status: 502, body },
      at: MORNING,
    },
    'becameUnknown',
    {},
  )
  const of = { submissionId: id, at: MORNING }
  const found = { attemptId, caseIds: ['zqx-1'], message: 'Zacarias', by: 'ZQX' }
  outbox.appendEvidence({ ...of, ...found, kind: 'several' })
  outbox.raiseAlarm({ ...of, kind: 'otherPatient', caseIds: ['zqx-2'], message: 'Quixwood' })
  await test.call('submissions.resolve', { id, delivered: true, caseId: 'zqx-1', ...decision })
  await test.call('station.pause', decision)
}

/** The status of a station whose folder is full of names. */
function withIdentifyingFolder({ parts }: TestParts): StationParts {
  const status = (): ReturnType<StationParts['status']> => ({
    ...parts.status(),
    centerId: 'center-zqx',
    service: {
      health: 'trouble',
      since: MORNING,
      failure: failureOf('signedOut', { serviceSaid: 'client-zqx', message: 'zqx', status: 401 }),
      nextTryAt: null,
      lastSuccessAt: MORNING,
    },
    storage: failureOf('storage', { message: FOLDER }),
    patientList: { kind: 'unreadable', patients: 7, message: 'Quixwood twice', readAt: MORNING },
    folders: [
      {
        ...WATCHED_FOLDER,
        path: FOLDER,
        failure: failureOf('folderUnreachable', { message: FOLDER }),
        noteCounts: { truncated: 1, notAnImage: 1 },
        notes: [
          { fileName: 'Quixwood/zqx.JPG', kind: 'truncated', message: 'zqx.JPG ends early', at: MORNING },
          { fileName: 'Anna.Quixwood', kind: 'notAnImage', message: 'Quixwood', at: MORNING },
        ],
      },
    ],
  })
  return { ...parts, status, ports: { ...parts.ports, recentLog: () => Promise.resolve(LOG) } }
}

describe('the diagnostics bundle', () => {
  it('names no patient, no person, no file and no secret of a station that is full of them', async () => {
    const test = await partsWith(SETTINGS)
    await test.parts.ports.secrets.write('secret-zqx')
    await fillWithPatients(test)
    const { text, fileName } = await writeDiagnostics(withIdentifyingFolder(test))
    expect(text.split('\n').filter((line) => IDENTIFYING.test(line))).toEqual([])
    expect(fileName).toMatch(/^fundus-courier-diagnostics-2026-11-20-\d{4}\.txt$/)
  })

  it('has what is needed to find a trouble', async () => {
    const test = await partsWith(SETTINGS)
    await fillWithPatients(test)
    const { text } = await writeDiagnostics(withIdentifyingFolder(test))
    for (const fact of [
      /^version: 0\.0\.0-test$/m,
      /^timeZone: /m,
      /^freeDiskBytes: \d+$/m,
      /^schemaVersion: \d+$/m,
      /"baseUrl":"service\.example"/,
      /"clientId":"#[0-9a-f]{6}"/,
      /^sent: 1$/m,
      /^(held|review|waiting|incomplete): \d+, the oldest of 2026-11-20T/m,
      /"outcome":"unknown","failure":"notAnswering","status":502,"count":1/,
      /"kind":"signedOut","status":401/,
      /"noteCounts":\{"truncated":1,"notAnImage":1\}/,
      /"fileName":"jpg #[0-9a-f]{6}","kind":"truncated"/,
      /drive C, 2 levels, #/,
      /network share, 3 levels, #/,
      /"message":"a folder cannot be listed","facts":\{"code":"EACCES"/,
      /"what":"held".*"by":"person-1"/,
      /"fields":\["last_name"\]/,
    ])
      expect(text).toMatch(fact)
  })

  it('has no log if the host has none, and takes only the latest lines', async () => {
    const { parts } = await partsWith()
    expect((await writeDiagnostics(parts)).text).toContain('this host keeps none')
    const many = Array.from({ length: 300 }, (_, index) => ({ ...LOG[0]!, facts: { cases: index } }))
    const { text } = await writeDiagnostics({
      ...parts,
      ports: { ...parts.ports, recentLog: () => Promise.resolve(many) },
    })
    const lines = text.split('\n').filter((line) => line.includes('station opened'))
    expect(lines).toHaveLength(200)
    expect(lines.at(-1)).toContain('"cases":299')
  })
})

const ID = '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b'
const AT = Date.UTC(2026, 10, 20, 9)
const ENTRY = { id: 1, at: AT, submissionId: ID, reference: 'FC7K3M9QXAW', by: null }

it('an id of the service is covered even if the service makes its ids as we make ours', () => {
  const details = { caseIds: [ID], images: [ID] }
  const found = { ...ENTRY, what: 'foundAtService', details }
  const entry = redactTrailEntry(found, createRedactor())
  expect(entry).toMatchObject({ submissionId: ID, details: { images: [ID] } })
  expect(JSON.stringify(entry)).not.toContain(ENTRY.reference)
  expect(JSON.stringify(entry['details'])).toMatch(/"caseIds":\["#[0-9a-f]{6}"\]/)
})

it('the client id is covered even if it is made as we make ours, and a day unless it is a setting', async () => {
  const { parts } = await partsWith({
    service: settingsSchema.shape.service.parse({ baseUrl: 'https://service.example', clientId: ID }),
    folders: [folderSettingsSchema.parse({ path: FOLDER, existing: 'since', existingSince: '2026-11-01' })],
  })
  const { text } = await writeDiagnostics(parts)
  expect(text).not.toContain(ID)
  expect(text).toContain('"existingSince":"2026-11-01"')
  const line = { at: AT, level: 'warn', message: 'read', facts: { reason: '1948-03-05' } } as const
  const details = { fields: ['1948-03-05'] }
  const entry = { ...ENTRY, what: 'edited', details }
  const redacted = [redactLogLine(line, createRedactor()), redactTrailEntry(entry, createRedactor())]
  expect(JSON.stringify(redacted)).not.toContain('1948')
})

it('a line of the log keeps its instant, level and message whatever its facts are called', () => {
  const facts = { at: 'deliver', level: 3, message: 5 }
  const line = { level: 'warn', message: 'something stopped', facts } as const
  const redacted = redactLogLine({ ...line, at: AT }, createRedactor())
  expect(redacted).toEqual({ ...line, at: '2026-11-20T09:00:00.000Z' })
})
