import { describe, expect, it } from 'vitest'
import type { DataFileReading } from '../../../../../src-main/station/cases/records/data-files.ts'
import { randomFrom } from '../../../../camera/random.ts'
import { propertySeed, runs } from '../../../../tools/property.ts'
import { readAs } from './read-as.ts'

/** Far more than any of these takes, also on a machine with much to do; a quadratic reader takes minutes. */
const MOST_MS = 12_000
const MEGABYTE = 1_024 * 1_024

function expectReading(reading: DataFileReading): void {
  expect(typeof reading.ok).toBe('boolean')
  if (!reading.ok) return expect(reading.message).toMatch(/\.$/)
  for (const record of reading.records) {
    for (const path of record.files) expect(path).not.toMatch(/^\/|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i)
    for (const eye of Object.values(record.eyes)) expect(['right', 'left']).toContain(eye)
    for (const { message } of record.rejected) expect(message).toMatch(/\.$/)
  }
}

const SEEDS: Readonly<Record<string, string>> = {
  'a.xml': `<?xml version="1.0" encoding="UTF-8"?><e xmlns:x="y"><Patient sex="F"><ID>17</ID><LastName><![CDATA[Mu&oz]]></LastName>
    <BirthDate>1970-06-02</BirthDate></Patient><!-- c --><x:PatientEyeData><Eye>OD</Eye><Date>2026-11-20</Date>
    <Data><IOP unit="mmHg">14</IOP></Data></x:PatientEyeData><images><image file="a.jpg" eye="OS"/></images></e>`,
  'a.json': JSON.stringify({
    patientId: '0017',
    gender: 'F',
    birthday: '1970-06-02',
    Cases: [{ CheckTime: '2026-11-20T09:15', OD: { IOP: 14, SPH: '-1,25' }, images: { 'a.jpg': 'OD' } }],
  }),
  'a.csv':
    'NHC;Apellidos;Sexo;Fecha nacimiento;Ojo;Archivo;PIO\n17;"Muñoz; P";H;1970-06-02;OD;a.jpg;14\n18;L;M;;OI;s\\b.jpg;1,5\n',
  'case.json': '{"history_number": "17", "od_iop": "14", "images": {"a.jpg": "OD", "../b.jpg": "OS"}}',
}
const ROUNDS = runs(2_000)

const SNIPPETS = [
  ...'< > </ " \' & ; , { } [ ] : \\ ../ __proto__ constructor <![CDATA[ <!-- &#0; 0000-00-00 1e999'.split(
    ' ',
  ),
  ...'OD patientId =1+1 ٣ C:\\a // 20/11/2026 null \u0000 \ufeff \ud800'.split(' '),
  '\n',
  '\r',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
]

function mutated(seed: Buffer, random: (below: number) => number): Buffer {
  let bytes = seed
  for (let count = random(6); count >= 0; count -= 1) {
    const at = random(bytes.length + 1)
    const until = Math.min(bytes.length, at + random(12))
    const [before, cut, after] = [bytes.subarray(0, at), bytes.subarray(at, until), bytes.subarray(until)]
    const change = random(5)
    if (change === 0) bytes = Buffer.concat([before, after])
    else if (change === 1) bytes = Buffer.concat([before, cut, cut, after])
    else if (change === 2) bytes = Buffer.concat([before, Buffer.of(random(256)), after])
    else if (change === 3)
      bytes = Buffer.concat([before, Buffer.from(SNIPPETS[random(SNIPPETS.length)] ?? ''), cut, after])
    else bytes = random(20) === 0 ? before : Buffer.concat([after, before])
  }
  return bytes
}

describe('a data file made to harm', () => {
  it.each(Object.entries(SEEDS))(
    `gives a value back, whatever is in it: %s in ${ROUNDS} ways`,
    (name, seed) => {
      const next = randomFrom(propertySeed)
      const random = (below: number): number => Math.floor(next() * below)
      const marked = Buffer.from(`\ufeff${seed}`, 'utf16le')
      const seedBytes = [Buffer.from(seed), marked, Buffer.from(seed, 'latin1')]
      let readable = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const bytes = mutated(seedBytes[random(10) > 2 ? 0 : random(3)] ?? Buffer.alloc(0), random)
        const reading = readAs(name, bytes, { dateOrder: random(2) === 0 ? 'dmy' : 'ymd' })
        expectReading(reading)
        if (reading.ok) readable += 1
      }
      // Mutations that nothing survives would prove nothing.
      expect(readable).toBeGreaterThan(ROUNDS / 40)
      expect(readable).toBeLessThan(ROUNDS)
    },
  )

  const laughs = Array.from({ length: 30 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};&l${n};">`).join('')
  const xml = (inner: string): string => `<PatientID>${inner}`
  const json = (value: string): string => `{"patientId": ${value}}`
  const nested = (open: string, close: string, count = 100_000): string =>
    open.repeat(count) + close.repeat(count)
  const entity = (declared: string, used: string): string =>
    `<!DOCTYPE a [${declared}]><a><PatientID>${used}</PatientID></a>`
  const attributes = Array.from({ length: 45_000 }, (_, n) => `b${n}="1"`).join(' ')
  const manyVisits = (): string => {
    const name = (n: number): string => `od_iop${' '.repeat(n % 50)}${'_'.repeat(n % 77)}`
    const names = Array.from({ length: 5_000 }, (_, n) => [name(n), n])
    const visits = Array.from({ length: 50_000 }, (_, n) => ({ patientId: n }))
    return JSON.stringify({ ...Object.fromEntries(names), visits })
  }
  const filesOfOne = Array.from({ length: 20_000 }, (_, n) => `1;${n}.jpg;OD\n`)
  const spaces = `${'1 '.repeat(400_000)};${' 1'.repeat(40_000)};${'- '.repeat(40_000)}`

  it.each<readonly [what: string, name: string, make: () => string | Buffer]>([
    ['a billion laughs', 'a.xml', () => entity(`<!ENTITY l0 "ha">${laughs}`, '&l30;')],
    ['an entity of a file', 'a.xml', () => entity('<!ENTITY b SYSTEM "file:///etc/passwd">', '&b;')],
    ['deep elements', 'a.xml', () => `${xml(nested('<a>', '</a>'))}</PatientID>`],
    ['deep open elements', 'a.xml', () => '<a>'.repeat(MEGABYTE)],
    ['deep lists', 'a.json', () => json(nested('[', ']'))],
    ['deep objects', 'a.json', () => json(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
    ['lists without end', 'a.json', () => `{"patientId": ${'['.repeat(4_000_000)}`],
    ['many objects', 'a.json', () => `{"patientId": "1", "a": [${'{"a":1},'.repeat(500_000)}1]}`],
    ['many elements', 'a.xml', () => `<a><PatientID>1</PatientID>${'<b>1</b>'.repeat(500_000)}</a>`],
    ['many attributes', 'a.xml', () => `<a PatientID="1" ${attributes}/>`],
    ['many visits under much', 'a.json', manyVisits],
    ['brackets only', 'a.xml', () => '<'.repeat(4 * MEGABYTE)],
    ['an open quote', 'a.xml', () => `<PatientID b="${'x'.repeat(3 * MEGABYTE)}`],
    ['ampersands', 'a.xml', () => `${xml('&'.repeat(3 * MEGABYTE))}</PatientID>`],
    ['half numbers of characters', 'a.xml', () => `${xml('&#1'.repeat(MEGABYTE))}</PatientID>`],
    ['comments without end', 'a.xml', () => xml('<!--'.repeat(MEGABYTE))],
    ['one line', 'a.csv', () => `NHC${';'.repeat(15 * MEGABYTE)}`],
    ['one cell', 'a.csv', () => `NHC;a\n1;${'x'.repeat(15 * MEGABYTE)}`],
    ['one quoted cell', 'a.csv', () => `NHC;a\n1;"${'x\n'.repeat(7 * MEGABYTE)}`],
    ['quotes', 'a.csv', () => `NHC;a\n${'"'.repeat(8 * MEGABYTE)}`],
    ['empty lines', 'a.csv', () => `NHC;a\n${'\n'.repeat(15 * MEGABYTE)}`],
    ['many headings', 'a.csv', () => `${'NHC;'.repeat(400)}NHC\n${`${'1;'.repeat(400)}1\n`.repeat(15_000)}`],
    ['many details', 'a.csv', () => `${'NHC;'.repeat(119)}NHC\n${`${'1;'.repeat(119)}1\n`.repeat(4_000)}`],
    ['many files of one patient', 'a.csv', () => `NHC;file;eye\n${filesOfOne.join('')}`],
    ['spaces', 'a.csv', () => ' '.repeat(15 * MEGABYTE)],
    ['zeros', 'a.csv', () => Buffer.alloc(8 * MEGABYTE)],
    ['zeros in text', 'a.csv', () => 'NHC;a\u0000\n1;\u00002\n'],
    ['zeros in XML', 'a.xml', () => Buffer.alloc(4 * MEGABYTE)],
    ['zeros in JSON', 'a.json', () => '{"patientId": "1\u0000"}'],
    ['spaces in a value', 'a.csv', () => `NHC;DOB;od_iop;eye\n1;${spaces}\n`],
    ['a long heading', 'a.csv', () => `NHC;${'aA'.repeat(400_000)}\n1;2\n`],
  ])('is answered in time: %s', (_, name, make) => {
    const content = make()
    const startedAt = performance.now()
    expectReading(readAs(name, content))
    expect(performance.now() - startedAt).toBeLessThan(MOST_MS)
  })
})
