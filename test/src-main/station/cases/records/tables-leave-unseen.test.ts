/** The same of tables, of cells that programs have changed, and of XML documents. */
import { describe, expect, it } from 'vitest'
import { watchingCases } from '../cases-with.ts'
import { becomes, DAY, DOUBTED, EYE, json, type Row, TAKEN_AT, WHOLE } from './becomes.ts'

/** What becomes of an image that no row speaks of. */
const NOT_READ = 'incomplete fieldMissing eyeUnknown nothingStated fileTime'

describe('a table', () => {
  const HEADINGS = 'File,MRN,Last name,First name,Birth date,Exam date,Eye (OD/OS),IOP OD,Notes'
  const ROW = '4f2a.png,H-00417,Haas,Nora,1970-06-02,2026-11-20,OD,14,fine'
  const table = (row: string, headings = HEADINGS): string => `${headings}\n${row}\n`
  it.each<Row>([
    ['whole', table(ROW), 'waiting'],
    ['without its last empty cells', table('4f2a.png,H-00417,Haas,Nora,1970-06-02,2026-11-20,OD'), 'waiting'],
    ['whose rows end with a delimiter', table(`${ROW},`), 'waiting'],
    [
      'with cells kept as text',
      table(ROW.replace('2026-11-20', "'2026-11-20").replace(',OD,', ',="OD",')),
      'waiting',
    ],
    ['of a data frame, numbered', table(`0,${ROW}`, `,${HEADINGS}`), 'waiting'],
    ...['MRN [as in the chart]', 'MRN (medical record)', 'MRN (from this hospital)'].map((heading): Row => [
      `with ${heading}`,
      table(ROW, HEADINGS.replace('MRN', heading)),
      'waiting',
    ]),
    ...['MRN (previous)', 'MRN (mother)', 'MRN (order)'].map((heading): Row => [
      `with ${heading}`,
      table(ROW, HEADINGS.replace('MRN', heading)),
      'incomplete fieldMissing',
    ]),
    ['with CF for a pressure', table(ROW.replace(',14,', ',CF,')), 'waiting'],
    ['with a note of two eyes', table(ROW.replace('fine', 'OD better than OS')), 'waiting'],

    ['with a comma in a name', table(ROW.replace('Nora', 'Nora, Ida')), NOT_READ],
    [
      'with a comma in a name, and no notes',
      table(ROW.replace('Nora', 'Nora, Ida').replace(',fine', '')),
      'incomplete identityConflict',
    ],
    ['with a filled cell too many', table(`${ROW},more`), NOT_READ],
    ['cut off in front of its eye', table('4f2a.png,H-00417,Haas,Nora,1970-06-02,2026-11-20'), NOT_READ],
    ['with a filled cell without heading', table(ROW, HEADINGS.replace('Notes', '')), NOT_READ],
    ...['H-00417,', 'Haas,', '1970-06-02,', '2026-11-20,'].map((cell): Row => [
      `without the cell ${cell}`,
      table(ROW.replace(cell, '')),
      NOT_READ,
    ]),
    ...[
      ['4f2a.png,7,H-00417,OD,OS,2026-11-20', 'waiting'],
      ['4f2a.png,7,H-00417,OD,,2026-11-20', 'waiting'],
      ['4f2a.png,7,H-00417,OS,2026-11-20,2025-11-20', NOT_READ],
      ['4f2a.png,H-00417,OD,OS,2026-11-20,2025-11-20', NOT_READ],
    ].map(([row = '', expected = '']): Row => [
      `with ${row} below a whole row`,
      table(
        `77b0.png,7,H-00417,OS,OD,2026-11-20,2025-11-20\n${row}`,
        'File,Room,MRN,Eye,Treated,Exam date,Seen before',
      ),
      expected,
    ]),
    ['with two columns for the eye', table(`${ROW},OS`, `${HEADINGS},Laterality`), 'incomplete eyeUnknown'],
    ['with its heading twice', table(`${ROW},H-00418`, `${HEADINGS},MRN`), 'incomplete fieldMissing'],
    ['with a day under the pressure', table(ROW.replace(',14,', ',2026-11-20,')), DOUBTED],
  ])('%s', async (_, text, expected) =>
    expect((await becomes('list.csv', text)).slice(0, expected.length)).toBe(expected),
  )
})

describe('a number in a cell', () => {
  const row = (cell: string): string => `File;NHC;Fecha examen;Ojo\n4f2a.png;${cell};2026-11-20;OD\n`
  const numberOf = async (text: string, name = 'list.csv'): Promise<unknown> => {
    const station = await watchingCases({ sendWithoutReview: true })
    await station.write(`export/${name}`, text)
    await station.write('export/4f2a.png', undefined, TAKEN_AT)
    await station.see(`export/${name}`, 'export/4f2a.png')
    await station.quiet()
    const [found] = station.open()
    return [found?.state, found?.fields.history_number ?? null]
  }

  it.each<readonly [what: string, cell: string, number: string]>([
    ['as it is', '0094113', '0094113'],
    ['as a formula', '="0094113"', '0094113'],
    ['as a quoted formula', '"=""0094113"""', '0094113'],
    ['behind an apostrophe', "'0094113", '0094113'],
    ['in full width', '\uff10\uff10\uff19\uff14\uff11\uff11\uff13', '0094113'],
    ['between invisible marks', '\u200e0094113\u200f', '0094113'],
    ['with its authority', '0094113^^^CLINIC^MR', '0094113'],
  ])('leaves whole: %s', async (_, cell, number) =>
    expect(await numberOf(row(cell))).toEqual(['waiting', number]),
  )

  it.each<readonly [what: string, cell: string]>([
    ['shortened', '9,4113E+06'],
    ['with a check digit apart', '0094113^4^M10^CLINIC'],
    ['of two', '0094113~0094114'],
    ['of two with a stroke', '0094113/0094114'],
    ['of two with a sign', '0094113 + 0094114'],
    ['of two with a word', '0094113 und 0094114'],
  ])('is asked: %s', async (_, cell) => expect(await numberOf(row(cell))).toEqual(['incomplete', null]))

  it('is asked if a sign inside was cut out', async () =>
    expect(await numberOf(json('"patientId":"0094\\u0000113"', DAY, EYE), '4f2a.json')).toEqual([
      'incomplete',
      null,
    ]))

  it.each(['94113.0', '94113.00', '"94113,0"', '="94113.0"'])(
    'is asked as the decimal of a data frame, which has dropped its zeros in front: %s',
    async (cell) => expect(await numberOf(row(cell))).toEqual(['incomplete', null]),
  )

  it('behind the line that states the separator is read', async () =>
    expect(await numberOf(`"sep=;"\n${row('0094113')}`)).toEqual(['waiting', '0094113']))

  it('in the place of a name is a proposal', async () =>
    expect(await numberOf(row('Haas'))).toEqual(['incomplete', null]))
})

describe('a data file', () => {
  it.each<readonly [name: string, text: string, becomes: string]>([
    ['4f2a.png.json', json(...WHOLE), 'waiting'],
    [
      '4F2A.PNG.xml',
      '<Exam><PatientID>H-00417</PatientID><ExamDate>2026-11-20</ExamDate><Eye>OS</Eye></Exam>',
      'waiting',
    ],
    ['4f2a.json', json(...WHOLE, '"file":"4f2a.png"'), 'waiting'],
    ['4f2a.csv', 'MRN,Exam date,Eye\nH-00417,2026-11-20,OD\n', 'waiting'],
    ['4f2a.png.csv', 'MRN,Exam date,Eye\nH-00417,2026-11-20,OD\n', 'waiting'],
    ['list.csv', 'MRN,Exam date,Eye\nH-00417,2026-11-20,OD\n', NOT_READ],
    ['4f2a.json', json(...WHOLE, '"file":"77b0.png"'), NOT_READ],
    ['4f2a.jpg.json', json(...WHOLE), NOT_READ],
    ['4f2a.json', json(...WHOLE, '"images":[{"file":"77b0.png","eye":"OS"}]'), NOT_READ],
  ])('%s of %s', async (name, text, expected) => expect(await becomes(name, text)).toBe(expected))
})

describe('an XML document', () => {
  const xml = (inside: string): string => `<Study>${inside}</Study>`
  const PATIENT = '<PatientID>H-00417</PatientID>'
  const SEEN = '<ExamDate>2026-11-20</ExamDate><Eye>OS</Eye>'
  it.each<Row>([
    ['with its patient in a block', xml(`<Patient><ID>H-00417</ID></Patient>${SEEN}`), 'waiting'],
    ['with the patient as attributes', xml(`<Patient ID="H-00417"/>${SEEN}`), 'waiting'],
    ['with an element twice alike', xml(`${PATIENT}${SEEN}<Eye>left</Eye>`), 'waiting'],
    ['that numbers its parts', xml(`<Patient id="p17">${PATIENT}</Patient>${SEEN}`), 'waiting'],
    [
      'with the number of its own part alone',
      xml(`<Patient id="7120"><LastName>Haas</LastName></Patient>${SEEN}`),
      'incomplete fieldMissing nothingStated',
    ],
    [
      'with an element twice',
      xml(`${PATIENT}${SEEN}<Eye>OD</Eye>`),
      'incomplete eyeConflict notIntact sourcesDiffer',
    ],
    ['with another day beside it', xml(`${PATIENT}${SEEN}<Date>2026-11-18</Date>`), DOUBTED],
    ['with a relative', xml(`${PATIENT}${SEEN}<Mother><PatientID>H-00300</PatientID></Mother>`), 'waiting'],
  ])('%s', async (_, text, expected) => expect(await becomes('4f2a.xml', text)).toBe(expected))
})
