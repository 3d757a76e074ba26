/** What a data file does not state any more proves nothing of what comes later; a table of one row is of its stem. */
import { describe, expect, it } from 'vitest'
import { endAttempt, startAttempt } from '../../../../tools/outbox-with.ts'
import {
  type Content,
  type Files,
  DAY,
  ANA,
  BEA,
  table,
  named,
  at,
  document,
  IMAGE,
  BESIDE,
  dicomOf,
  stationWith,
  verdicts,
  PROVEN,
  WHO_DISPUTED,
  ROW,
} from './rewritten-files.ts'

describe('a statement that is withdrawn proves nothing of what comes later', () => {
  const next = { ...BEA, file: 'K2.png', eye: 'OD' }
  const many = Array.from({ length: 120 }, (_, index) => ({ ...DAY, history_number: `H-2${100 + index}` }))
  const own = { ...ANA, eye: 'OD' }

  it.each<readonly [string, readonly [string, Content], string, Files]>([
    ['a case.json cut off', ['scan/case.json', named(ANA)], '{"history_number": "H-00202", "ima', IMAGE],
    ['a case.json without content', ['scan/case.json', named(ANA)], '', IMAGE],
    ['a document cut off', ['scan/K1.json', own], '{"history_number": "H-00202", "ey', IMAGE],
    ['a document without content', ['scan/K1.json', own], '', IMAGE],
    ['a table of headings alone', ['list.csv', table(ROW)], table(), BESIDE],
    ['a row that is gone', ['list.csv', table(ROW)], table(next), BESIDE],
    ['a row that is gone from many', ['list.csv', table(ROW, ...many)], table(next, ...many), BESIDE],
  ])('%s', async (_what, before, after, image) => {
    const rewritten = at(before[0], after)
    const later = await verdicts([before, ...rewritten, ...image])
    expect.soft(later).toEqual([expect.not.stringMatching(/^who proven|waiting$/)])
    expect.soft(await verdicts([before, ...image, ...rewritten])).toEqual([PROVEN])
    // Stated again, it proves again.
    expect.soft(await verdicts([before, ...rewritten, ...image, before])).toEqual([PROVEN])
  })

  it('but it doubts: the name of a row that was corrected', async () => {
    const [first, second] = ['Synthia', 'Placeba'].map((last_name) => table({ ...ROW, last_name }))
    const files = at('list.csv', first ?? '', table(), second ?? '')
    expect(await verdicts([...files, ...BESIDE])).toEqual(WHO_DISPUTED)
  })

  it('nor does it fill in anything: the corrected row of a patient alone does', async () => {
    const rows = (last_name: string): string => table({ ...ANA, last_name }, { ...BEA, last_name: 'Probe' })
    const files = at('list.csv', rows('Synthja'), rows('Synthia'))
    const [found] = (await stationWith(...files, ...dicomOf('H-00101'))).open()
    expect([found?.state, found?.fields.last_name]).toEqual(['waiting', 'Synthia'])
  })

  it('but the row of a patient that is gone doubts another name', async () => {
    const files = at('list.csv', table({ ...ANA, last_name: 'Synthia' }), table(next))
    const other = document({ ...ANA, last_name: 'Probe', eye: 'OD' })
    expect(await verdicts([...files, ...other, ...IMAGE])).toEqual(WHO_DISPUTED)
  })
})

describe('a table of one row beside the image of its stem is heard as a document is', () => {
  const dicom = dicomOf('H-00101')
  const csv = (text: string): Files => at('scan/K1.csv', text)
  const HEADINGS = 'history_number,visit_date,eye'
  const same = `${HEADINGS}\nH-00101,2026-11-20,OD\n`
  const other = `${HEADINGS}\nH-00202,2026-11-20,OD\n`
  const several = `${same}H-00202,2026-11-20,OD\n`

  it.each<readonly [string, string]>([
    ['of another patient', other],
    ['of another patient, separated by tabs', other.replaceAll(',', '\t')],
    ['of another day', `${HEADINGS}\nH-00101,2026-11-19,OD\n`],
    ['of the other eye', `${HEADINGS}\nH-00101,2026-11-20,OS\n`],
  ])('%s', async (_what, text) => {
    const disputed = [expect.stringMatching(/disputed.*incomplete$/)]
    expect.soft(await verdicts([...dicom, ...csv(text)])).toEqual(disputed)
    expect.soft(await verdicts([...csv(text), ...dicom])).toEqual(disputed)
    const sent = await stationWith(...dicom)
    const id = sent.open()[0]?.id ?? ''
    startAttempt(sent.test, id)
    endAttempt(sent.test, id, 'delivered')
    await sent.arrive('scan/K1.csv', text)
    expect.soft(sent.test.outbox.openAlarms().map(({ kind }) => kind)).toEqual(['contradicted'])
  })

  it.each<readonly [string, string]>([
    ['that agrees', same],
    [
      'with measurements of both eyes',
      `${HEADINGS},iop\nH-00101,2026-11-20,OD,14\nH-00101,2026-11-20,OS,15\n`,
    ],
    ['with a measurement of the other eye', `${HEADINGS},iop\nH-00101,2026-11-20,OS,15\n`],
    ['of several visits', several],
  ])('not one %s', async (_what, text) => {
    expect(await verdicts([...dicom, ...csv(text)])).toEqual([PROVEN])
  })

  it('proves on its own, unless the table has had other rows', async () => {
    expect.soft(await verdicts([...csv(same), ...IMAGE])).toEqual([PROVEN])
    expect.soft(await verdicts([...csv(same), ...csv(other), ...IMAGE])).not.toContain(PROVEN)
    expect.soft(await verdicts([...csv(several), ...csv(other), ...dicom])).not.toContain(PROVEN)
  })
})

it.each([
  ['letter case', 'scan/case.json', 'scan/Case.json', 'scan/K2.png'],
  ['letter case of the folder', 'scan/case.json', 'Scan/case.json', 'scan/K2.png'],
  ['Unicode form', 'jos\u00e9/case.json', 'jose\u0301/case.json', 'jose\u0301/K2.png'],
  ['Unicode form, in capitals', 'JOS\u00c9/case.json', 'jos\u00e9/case.json', 'jos\u00e9/K2.png'],
])('data files whose paths differ in nothing but %s are one', async (_what, one, other, image) => {
  const files = [...at(one, named(ANA)), ...at(other, named(BEA, 'OD', 'K2.png')), ...at(image, null)]
  expect(await verdicts(files)).not.toContain(PROVEN)
})
