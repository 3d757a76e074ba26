/** What comes after a case was sent and contradicts it: nothing is changed, and an alarm names the case. */
import { describe, expect, it } from 'vitest'
import { contradictionsIn } from '../../../../src-main/station/cases/contradictions.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { endAttempt, startAttempt } from '../../../tools/outbox-with.ts'
import { type TestCases, watchingCases } from './cases-with.ts'

const RECORD = {
  history_number: 'H-00017',
  last_name: 'Synthia',
  birth_date: '1957-03-11',
  visit_date: '2026-11-20',
}
const VISIT = 'H-00017_20261120'
const IMAGE = `${VISIT}/1_OD.png`

const record = (changes: object = {}, eye = 'OD'): string =>
  JSON.stringify({ ...RECORD, images: { '1_OD.png': eye }, ...changes })

/** A station with one case that is in this state; its data file names its image. */
async function withCase(
  state: 'sending' | 'unconfirmed' | 'sent' | 'refused' | 'unsent' | 'waiting',
): Promise<{
  readonly station: TestCases
  readonly id: string
}> {
  const station = await watchingCases()
  await station.arrive(`${VISIT}/case.json`, record())
  await station.arrive(IMAGE)
  await station.quiet()
  const id = station.open()[0]?.id ?? ''
  station.test.outbox.moveSubmission(id, 'approved', {}, { at: 1 })
  if (state === 'waiting') return { station, id }
  startAttempt(station.test, id)
  const outcome = { sending: null, unconfirmed: 'unknown', sent: 'delivered' } as const
  const end = state === 'refused' || state === 'unsent' ? state : outcome[state]
  if (end !== null) endAttempt(station.test, id, end)
  return { station, id }
}

const alarms = ({ test }: TestCases): string[] =>
  test.outbox.openAlarms().map(({ kind, message, reference, submissionId }) => {
    expect([kind, submissionId === null]).toEqual(['contradicted', false])
    return message.replace(reference ?? '-', 'FC')
  })

const PATIENT = 'FC may be of another patient. Call the reading service.'
const DAY = 'FC may be of another day. Call the reading service.'
const EYE = 'An image of FC may show the other eye. Call the reading service.'

const dicomOf = (options: Parameters<typeof dicomFile>[0] = {}): Promise<Buffer> =>
  dicomFile({
    patientId: 'H-00017',
    patientName: 'Synthia',
    studyDate: '20261120',
    laterality: 'R',
    sopUid: '2.25.5',
    ...options,
  })

describe('after a case was sent', () => {
  it.each<readonly [string, string, string | (() => Promise<Buffer>), readonly string[]]>([
    ['a record written over: number', `${VISIT}/case.json`, record({ history_number: 'H-00018' }), [PATIENT]],
    ['a record written over: name', `${VISIT}/case.json`, record({ last_name: 'Placeba' }), [PATIENT]],
    [
      'a record written over: birth date',
      `${VISIT}/case.json`,
      record({ birth_date: '1957-03-12' }),
      [PATIENT],
    ],
    ['a record written over: day', `${VISIT}/case.json`, record({ visit_date: '2026-11-19' }), [DAY]],
    ['a record written over: eye', `${VISIT}/case.json`, record({}, 'OS'), [EYE]],
    [
      'a record written over: all',
      `${VISIT}/case.json`,
      record({ history_number: '4711', visit_date: '2026-11-19' }, 'OS'),
      [EYE, DAY, PATIENT],
    ],
    [
      'a data file of its stem',
      `${VISIT}/1_OD.json`,
      JSON.stringify({ ...RECORD, history_number: 'H-00018' }),
      [PATIENT],
    ],
    ['a DICOM file of its stem', `${VISIT}/1_OD.dcm`, () => dicomOf({ patientId: 'H-00018' }), [PATIENT]],
    [
      'the birth date of a DICOM file of its stem',
      `${VISIT}/1_OD.dcm`,
      () => dicomOf({ birthDate: '19570312' }),
      [PATIENT],
    ],
    ['the eye of a DICOM file of its stem', `${VISIT}/1_OD.dcm`, () => dicomOf({ laterality: 'L' }), [EYE]],
    ['the same once more', `${VISIT}/case.json`, record({ note: 'again' }), []],
    [
      'the next patient, in the file of its folder',
      `${VISIT}/case.json`,
      JSON.stringify({ ...RECORD, history_number: 'H-00018' }),
      [],
    ],
    ['a table about another patient', 'list.csv', 'history_number,visit_date\nH-00018,2026-11-20\n', []],
  ])('%s', async (_what, path, content, expected) => {
    const { station, id } = await withCase('sent')
    const before = station.test.outbox.submissionOf(id)
    await station.arrive(path, typeof content === 'string' ? content : await content())
    expect(alarms(station)).toEqual(expected)
    expect(station.test.outbox.submissionOf(id)).toEqual(before)
  })

  it('an export of the same DICOM image that states another patient raises the alarm, too', async () => {
    const station = await watchingCases()
    await station.arrive(`${VISIT}/1.dcm`, await dicomOf())
    await station.quiet()
    const id = station.open()[0]?.id ?? ''
    station.test.outbox.moveSubmission(id, 'approved', {}, { at: 1 })
    startAttempt(station.test, id)
    await station.arrive('again/1.dcm', await dicomOf({ patientId: 'H-00018' }))
    expect(alarms(station)).toEqual([PATIENT])
  })

  it.each([
    ['sending', 1],
    ['unconfirmed', 1],
    // These are read again before they go.
    ['refused', 0],
    ['unsent', 0],
    ['waiting', 0],
  ] as const)('or while it is %s', async (state, count) => {
    const { station } = await withCase(state)
    await station.arrive(`${VISIT}/case.json`, record({ history_number: 'H-00018' }))
    expect(alarms(station)).toHaveLength(count)
  })

  it.each(['unsent', 'waiting'] as const)('one of which all is %s is read again', async (state) => {
    const { station, id } = await withCase(state)
    await station.arrive(`${VISIT}/case.json`, record({ history_number: 'H-00018' }, 'OS'))
    expect(station.test.outbox.submissionOf(id)).toMatchObject({
      state: 'incomplete',
      verdict: { who: { kind: 'disputed' } },
    })
  })

  it.each([
    ['unsent', [2]],
    // It may have arrived after all: what comes is a case of its own, and the person decides.
    ['absent', [1, 1]],
  ] as const)('an image that comes after an attempt that was %s', async (end, counts) => {
    const { station, id } = await withCase(end === 'unsent' ? 'unsent' : 'unconfirmed')
    if (end === 'absent') station.test.outbox.moveSubmission(id, 'provenAbsent', {}, { at: 2 })
    await station.arrive(`${VISIT}/2_OS.png`)
    await station.quiet()
    expect(station.open().map(({ images }) => images.length)).toEqual(counts)
  })

  it('one that never arrived is read before it goes again: it was contradicted meanwhile', async () => {
    const { station, id } = await withCase('unconfirmed')
    await station.arrive(`${VISIT}/case.json`, record({ history_number: 'H-00018' }))
    station.test.outbox.moveSubmission(id, 'provenAbsent', {}, { at: 2 })
    expect(station.test.outbox.submissionOf(id)?.state).toBe('waiting')
    station.cases.reread([id])
    expect(station.test.outbox.submissionOf(id)).toMatchObject({
      state: 'incomplete',
      verdict: { who: { kind: 'disputed' } },
    })
  })

  it('a name that was used again for another image raises none: the record may be of that one', async () => {
    const { station } = await withCase('sent')
    await station.arrive(IMAGE)
    await station.arrive(`${VISIT}/case.json`, record({ history_number: 'H-00018' }))
    expect(alarms(station)).toEqual([])
  })
})

describe('a contradiction', () => {
  const SENT: Fields = { history_number: 'H-00017', last_name: 'Lopez', visit_date: '2026-11-20' }
  const noPerson = { lastName: null, firstName: null, birthDate: null, sex: null }
  const sent = { fields: SENT, births: [], named: null, settled: [], eye: 'right', eyeSettled: [] } as const
  const late = { source: 'sidecar', fields: {}, person: noPerson, eyes: [] } as const
  const never = { areSamePatient: () => false, areOnePerson: () => false, isConstant: () => false }

  it.each<readonly [string, Parameters<typeof contradictionsIn>, readonly string[]]>([
    ['nothing stated', [sent, late, never], []],
    ['another spelling', [sent, { ...late, fields: { history_number: 'h 00017' } }, never], []],
    [
      'a part of the name',
      [sent, { ...late, person: { ...noPerson, firstName: 'Ana', lastName: 'Lopez' } }, never],
      [],
    ],
    [
      'what the person saw',
      [{ ...sent, settled: ['h00018'] }, { ...late, fields: { history_number: 'H-00018' } }, never],
      [],
    ],
    [
      'numbers of one patient',
      [sent, { ...late, fields: { history_number: '9' } }, { ...never, areSamePatient: () => true }],
      [],
    ],
    [
      'one of its birth dates',
      [
        { ...sent, births: ['1961-04-02', '1961-04-03'] },
        { ...late, person: { ...noPerson, birthDate: '1961-04-03' } },
        never,
      ],
      [],
    ],
    [
      'another birth date',
      [
        { ...sent, births: ['1961-04-02'] },
        { ...late, person: { ...noPerson, birthDate: '1961-04-03' } },
        never,
      ],
      ['patient'],
    ],
    [
      'the same number with its separators at other places',
      [
        { ...sent, fields: { history_number: '12-345' }, settled: ['12345'] },
        { ...late, fields: { history_number: '123-45' } },
        never,
      ],
      ['patient'],
    ],
    [
      'without them',
      [
        { ...sent, fields: { history_number: '12-345' } },
        { ...late, fields: { history_number: '12345' } },
        never,
      ],
      [],
    ],
    ['another number', [sent, { ...late, fields: { history_number: '9' } }, never], ['patient']],
    [
      'the eye that the person saw',
      [{ ...sent, eyeSettled: ['sidecar left'] }, { ...late, eyes: ['left'] }, never],
      [],
    ],
    [
      'the eye of another source',
      [{ ...sent, eyeSettled: ['dicom left'] }, { ...late, eyes: ['left'] }, never],
      ['eye'],
    ],
    [
      'the eye of an image that is left out',
      [{ ...sent, eye: 'unknown' }, { ...late, eyes: ['left'] }, never],
      [],
    ],
  ])('by %s', (_what, input, expected) => {
    expect(contradictionsIn(...input)).toEqual(expected)
  })

  const otto = { ...noPerson, lastName: 'Placeba', firstName: 'Otto' }
  const sentWithout = (path: string, fields: Fields = { history_number: 'H-00017' }) => ({
    ...sent,
    fields,
    named: { paths: [path], isReadByProfile: false },
  })

  it.each<readonly [string, Parameters<typeof contradictionsIn>, readonly string[]]>([
    ['of its file', [sentWithout('H-00017_Lopez_OD.png'), { ...late, person: otto }, never], ['patient']],
    [
      'of its folder',
      [sentWithout('Lopez_Ana_H-00017/1.png'), { ...late, person: otto }, never],
      ['patient'],
    ],
    ['in part', [sentWithout('H-00017_Placeba_OD.png'), { ...late, person: otto }, never], []],
    ['by its initials', [sentWithout('H-00017_P_O_OD.png'), { ...late, person: otto }, never], []],
    [
      'cut off',
      [sentWithout('H-00017_Maximili.png'), { ...late, person: { ...otto, lastName: 'Maximilian' } }, never],
      [],
    ],
    [
      'a word of many patients',
      [sentWithout('Lopez_H-00017/1.png'), { ...late, person: otto }, { ...never, isConstant: () => true }],
      [],
    ],
    [
      'of one person, as was answered',
      [sentWithout('Lopez_H-00017/1.png'), { ...late, person: otto }, { ...never, areOnePerson: () => true }],
      [],
    ],
    ['beside no number', [sentWithout('Lopez/1.png'), { ...late, person: otto }, never], []],
    [
      'a name was sent',
      [
        sentWithout('Lopez_H-00017/1.png', { history_number: 'H-00017', last_name: 'Placeba' }),
        { ...late, person: otto },
        never,
      ],
      [],
    ],
    [
      'read by a profile',
      [
        {
          ...sentWithout('H-00017_Lopez.png'),
          named: { paths: ['H-00017_Lopez.png'], isReadByProfile: true },
        },
        { ...late, person: otto },
        never,
      ],
      [],
    ],
    ['no person', [sentWithout('H-00017_Lopez_OD.png'), late, never], []],
  ])('by the name beside the number: %s', (_what, input, expected) => {
    expect(contradictionsIn(...input)).toEqual(expected)
  })

  it.each<readonly [string, string, string, string | (() => Promise<Buffer>), readonly string[]]>([
    [
      'a data file of its stem',
      'H-00017_Lopez_20261120/H-00017_Lopez_OD.png',
      'H-00017_Lopez_20261120/H-00017_Lopez_OD.json',
      JSON.stringify({ ...RECORD, last_name: 'Placeba', first_name: 'Otto' }),
      [PATIENT],
    ],
    [
      'a DICOM file of its stem',
      'Lopez_Ana_H-00017_20261120_OD.png',
      'Lopez_Ana_H-00017_20261120_OD.dcm',
      () => dicomOf({ patientName: 'PLACEBA^OTTO' }),
      [PATIENT],
    ],
    [
      'which says the same',
      'Synthia_H-00017_20261120_OD.png',
      'Synthia_H-00017_20261120_OD.json',
      record(),
      [],
    ],
  ])('of the name of a file that was sent without one: %s', async (_what, image, path, content, expected) => {
    const station = await watchingCases()
    await station.arrive(image)
    await station.quiet()
    const id = station.open()[0]?.id ?? ''
    expect(station.open()[0]?.fields.last_name).toBeUndefined()
    station.test.outbox.moveSubmission(id, 'approved', {}, { at: 1 })
    startAttempt(station.test, id)
    await station.arrive(path, typeof content === 'string' ? content : await content())
    expect(alarms(station)).toEqual(expected)
  })
})
